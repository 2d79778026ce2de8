"""In float64, both sides sound: protocols whose users, fake users or shares bring the noise: sums and histograms."""
