"""Random pairs of request patterns and requests, over every field and every matcher."""

from matchers import bodies, fields

HEADS = [fields.headers] * 4 + [fields.query_parameters] * 4 + [fields.cookies] * 2 + [
    fields.path, fields.path, fields.basic_auth, fields.method, fields.host, fields.port, fields.scheme, fields.client_ip]


def kind(field):
    """The part of a request that a field tests; two fields must not test the same part."""
    return "url" if field.startswith("url") else "Host" if field in ("host", "port") else field


def drawn_case(rng, requests):
    """A pattern and `requests` requests, most of which it should match."""
    makers = rng.sample(HEADS, rng.choice([1, 1, 2])) if rng.random() < 0.5 else [rng.choice(bodies.EVERY)]
    if len(makers) == 1 and rng.random() < 0.15:
        makers.append(rng.choice(HEADS if makers[0] not in HEADS else bodies.EVERY))
    pattern, fills = {}, []
    for make in makers:
        part, fill = make(rng)
        if any(kind(name) == kind(other) for name in part for other in pattern):
            continue
        pattern.update(part)
        fills.append(fill)
    drafts = []
    for _ in range(requests):
        draft = fields.Draft()
        for fill in fills:
            fill(draft)
        drafts.append(draft.finished())
    return pattern, drafts
