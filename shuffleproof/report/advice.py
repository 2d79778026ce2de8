"""How advice is shown: one JSON object for programs, a line for every choice for people."""

from decimal import Decimal
from fractions import Fraction

from shuffleproof.planning.advise.choice import Advice, Choice
from shuffleproof.spec.vocabulary.numerals import amount, decimal_text

_DIGITS = 12
"""Of numbers in JSON, rounded to the side that holds."""
_SHOWN = 5
"""Of errors in the terminal."""
_SMALL = Decimal("1e-3")
"""Numbers below it are shown with an exponent."""
_LARGE = Decimal("1e9")
"""Numbers from it on are shown with an exponent."""


def json_record(found: Advice) -> dict[str, object]:
    """The record as JSON-ready values: numbers that matter are strings, errors rounded up."""
    return {
        "task": found.task,
        "measure": found.measure,
        "advice": None if found.best is None else found.best.name,
        "choices": [_row(each) for each in found.choices],
        "left_out": found.left_out,
        "relation": found.relation.value,
        **found.inputs,
    }


def text(found: Advice) -> str:
    """The record for people: the advice, then one line for every choice, and why some are excluded."""
    given = ", ".join(f"{name} = {each}" for name, each in found.inputs.items())
    best = found.best
    said = "nothing that is known here meets the target" if best is None else f"{best.name}{_with_settings(best)}"
    lines = [f"{found.task}: {said} ({found.relation.value}; {given})"]
    floats = any(each.excluded is None and each.standing == "sound" for each in found.choices)
    otherwise = ', or sound in float64 where it says "sound"' if floats else ""
    lines.append(f"  {found.measure}, certified from above, at settings certified to meet the target{otherwise}:")
    width = max(len(each.name) for each in found.choices)
    for each in found.choices:
        if each.excluded is not None:
            lines.append(f"  {each.name:<{width}}  excluded: {each.excluded}")
            continue
        assert each.error is not None
        told = [f"<= {_rounded_up(each.error)}", _cost(each), f"trusts {each.trust}", _settings(each), each.statement]
        lines.append(f"  {each.name:<{width}}  {'; '.join(told)}{', sound' if each.standing == 'sound' else ''}")
        if each.note is not None:
            lines.append(f"  {'':<{width}}  {each.note}")
    if found.left_out is not None:
        lines.append(f"  {found.left_out}")
    return "\n".join(lines)


def _cost(choice: Choice) -> str:
    size = "of a real number" if choice.bits is None else f"of {amount(choice.bits, 'bit')}"
    if choice.messages == 1:
        return f"1 message {size}"
    assert choice.messages is not None
    assert choice.expected_messages is not None
    if choice.messages == choice.expected_messages:
        return f"{choice.messages} messages {size}"
    mean = decimal_text(choice.expected_messages, digits=6, direction="up")
    if Fraction(mean) >= choice.messages:
        return f"up to {choice.messages} messages {size}, nearly always {choice.messages}"
    return f"up to {choice.messages} messages {size}, at most {mean} on average"


def _settings(choice: Choice) -> str:
    return ", ".join(f"{name} = {each}" for name, each in choice.settings.items())


def _with_settings(choice: Choice) -> str:
    return f", with {_settings(choice)}" if choice.settings else ""


def _rounded_up(error: Fraction) -> str:
    """Return it with an exponent where zeros would have to be counted."""
    text = decimal_text(error, digits=_SHOWN, direction="up")
    size = Decimal(text)
    return text if size == 0 or _SMALL <= size < _LARGE else f"{size.normalize():e}"


def _row(choice: Choice) -> dict[str, object]:
    mean = choice.expected_messages
    return {
        "name": choice.name,
        "error_at_most": None if choice.error is None else decimal_text(choice.error, digits=_DIGITS, direction="up"),
        "messages_at_most": choice.messages,
        "expected_messages_at_most": None if mean is None else decimal_text(mean, digits=_DIGITS, direction="up"),
        "bits_of_a_message": choice.bits,
        "settings": dict(choice.settings),
        "statement": choice.statement,
        "standing": choice.standing if choice.excluded is None else None,
        "excluded": choice.excluded,
        "note": choice.note,
        "trust": choice.trust if choice.excluded is None else None,
    }
