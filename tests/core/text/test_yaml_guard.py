import time

import pytest

from core.errors import InputError
from core.text.yaml_guard import load_yaml

BOMBS = {
    "many aliases": "a: &a x\nb: [" + "*a, " * 300_000 + "]",
    "a large part aliased often": f"a: &a {'x' * 1_000_000}\nb: [" + "*a, " * 1200 + "]",
    "aliases of aliases": "a0: &a0 [x, x]\n"
    + "".join(f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]\n" for n in range(1, 12)),
    "deep": "[" * 5000,
}


@pytest.mark.parametrize("name", BOMBS)
def test_yaml_that_means_too_much_is_refused_before_it_is_built(name):
    began = time.monotonic()
    with pytest.raises(InputError):
        load_yaml(BOMBS[name])
    assert time.monotonic() - began < 10


def test_yaml_with_a_few_aliases_is_read():
    assert load_yaml("a: &a [1, 2]\nb: [*a, *a]") == {"a": [1, 2], "b": [[1, 2], [1, 2]]}
