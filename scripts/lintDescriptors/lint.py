"""Lints each descriptor by the package erc7730, against the ABI of this repository instead of an explorer's.

Arguments: pairs of a descriptor and a file with its functions; an empty name for messages. Warnings fail, too.
"""

import re
import sys
import typing
from pathlib import Path

import typing_extensions

# The package asks for Python 3.12 for this name alone.
if not hasattr(typing, "override"):
    typing.override = typing_extensions.override

from erc7730.common import client
from erc7730.common.output import ConsoleOutputAdder, Output
from erc7730.lint.v2.lint import lint_all
from erc7730.model.abi import Function
from pydantic import TypeAdapter


class Report(ConsoleOutputAdder):
    """Prints everything but a missing field for an array of structs whose members have fields: the linter asks for both."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.text = text

    def add(self, output: Output) -> None:
        array = re.search(r"for path `#\.([^`]+\[\])`", output.message)
        if array is None or f'"path": "{array[1]}.' not in self.text:
            super().add(output)


failed = []
for descriptor, abi in zip(sys.argv[1::2], sys.argv[2::2], strict=True):
    functions = TypeAdapter(list[Function]).validate_json(Path(abi).read_text()) if abi else []
    client.get_contract_abis = lambda chain_id, address, functions=functions: functions
    client.get_contract_explorer_url = lambda chain_id, address, abi=abi: abi
    report = Report(Path(descriptor).read_text())
    lint_all([Path(descriptor)], report)
    if report.has_errors or report.has_warnings:
        failed.append(descriptor)

print(f"{len(sys.argv) // 2} descriptors linted, {len(failed)} failed: {' '.join(failed)}")
sys.exit(1 if failed else 0)
