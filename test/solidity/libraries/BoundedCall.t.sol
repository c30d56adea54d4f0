// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {BoundedCall} from "../../../contracts/libraries/BoundedCall.sol";
import {CalldataNote} from "../support/CalldataNote.sol";
import {Test} from "../support/Test.sol";

/// @title Echo
/// @notice Returns or reverts with exactly the given bytes.
contract Echo {
    function say(bytes calldata answer, bool asRevert) external payable {
        bytes memory data = answer;
        assembly ("memory-safe") {
            if asRevert {
                revert(add(data, 0x20), mload(data))
            }
            return(add(data, 0x20), mload(data))
        }
    }
}

/// @title BoundedCallTest
/// @notice A failed call returns its reason up to a limit; a successful call writes no memory.
contract BoundedCallTest is Test {
    Echo private _echo;

    function setUp() public {
        _echo = new Echo();
    }

    function testFuzz_ReasonIsTheRevertDataCutToTheLimit(
        uint256 length,
        bytes32 seed,
        bytes memory neighbour
    ) public {
        bytes memory answer = _randomBytes(seed, _bound(length, 0, 3 * BoundedCall.MAX_REASON_BYTES));
        bytes32 neighbourHash = keccak256(neighbour);

        bool success = BoundedCall.tryCall(address(_echo), 0, abi.encodeCall(Echo.say, (answer, true)));
        bytes memory reason = BoundedCall.revertReason();
        // Allocated right after the reason, which would overwrite it if its size were wrong.
        bytes memory following = bytes.concat(neighbour);

        _assertEq(success, false);
        _assertEq(reason, _cut(answer, BoundedCall.MAX_REASON_BYTES));
        _assertEq(keccak256(neighbour), neighbourHash);
        _assertEq(keccak256(following), neighbourHash);
    }

    function testFuzz_SuccessWritesNothingToMemory(uint256 length, bytes32 seed, uint96 value) public {
        bytes memory answer = _randomBytes(seed, _bound(length, 0, 4096));
        bytes memory call = abi.encodeCall(Echo.say, (answer, false));
        VM.deal(address(this), value);
        uint256 freeBefore = _freeMemory();

        bool success = BoundedCall.tryCall(address(_echo), value, call);

        _assertEq(_freeMemory(), freeBefore);
        _assertEq(success, true);
        _assertEq(call, abi.encodeCall(Echo.say, (answer, false)));
        _assertEq(address(_echo).balance, value);
    }

    function testFuzz_ValueBeyondTheBalanceFailsWithoutAReason(uint96 balance, uint96 more) public {
        VM.deal(address(this), balance);
        bool success = BoundedCall.tryCall(
            address(_echo),
            uint256(balance) + uint256(more) + 1,
            abi.encodeCall(Echo.say, ("", false))
        );
        _assertEq(BoundedCall.revertReason(), "");
        _assertEq(success, false);
        _assertEq(address(this).balance, balance);
    }

    function testFuzz_OneWordIsTheWholeCalldata(bytes32 word, uint96 value) public {
        // The selector of the note's getter.
        VM.assume(bytes4(word) != CalldataNote.noted.selector);
        CalldataNote note = new CalldataNote();
        VM.deal(address(this), value);
        _assertEq(BoundedCall.tryCall(address(note), value, word), true);
        _assertEq(note.noted(), abi.encodePacked(word));
        _assertEq(address(note).balance, value);
    }

    function testFuzz_OneWordToAnAccountWithoutCodePaysIt(bytes32 word, uint96 value, bytes32 seed) public {
        address account = address(bytes20(keccak256(abi.encode(seed))));
        VM.deal(address(this), value);
        _assertEq(BoundedCall.tryCall(account, value, word), true);
        _assertEq(account.balance, value);
    }

    function _freeMemory() private pure returns (uint256 pointer) {
        assembly ("memory-safe") {
            pointer := mload(0x40)
        }
    }

    function _randomBytes(bytes32 seed, uint256 length) private pure returns (bytes memory data) {
        data = new bytes(length);
        for (uint256 start; start < length; start += 32) {
            bytes32 word = keccak256(abi.encode(seed, start));
            for (uint256 i; i < 32 && start + i < length; ++i) data[start + i] = word[i];
        }
    }

    function _cut(bytes memory data, uint256 limit) private pure returns (bytes memory part) {
        part = new bytes(data.length < limit ? data.length : limit);
        for (uint256 i; i < part.length; ++i) part[i] = data[i];
    }
}
