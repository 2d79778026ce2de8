"""The privacy blanket of any randomizer, and what homogeneous datasets reach."""
