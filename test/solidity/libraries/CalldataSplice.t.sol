// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IBalanceActions} from "../../../contracts/interfaces/proxy/IBalanceActions.sol";
import {CalldataSplice} from "../../../contracts/libraries/CalldataSplice.sol";
import {Test} from "../support/Test.sol";

/// @title CalldataSpliceTest
/// @notice A splice changes the 32 bytes it points at and nothing else, or reverts.
contract CalldataSpliceTest is Test {
    /// @notice External, so that reverts can be expected.
    function write(bytes memory data, uint256 offset, uint256 amount) external pure returns (bytes memory) {
        CalldataSplice.write(data, offset, amount);
        return data;
    }

    function testFuzz_OnlyTheWordAtTheOffsetChanges(
        bytes memory data,
        uint256 offset,
        uint256 amount
    ) public view {
        data = bytes.concat(data, new bytes(36));
        offset = _bound(offset, 4, data.length - 32);
        for (uint256 i = offset; i < offset + 32; ++i) data[i] = 0;

        bytes memory spliced = this.write(data, offset, amount);

        bytes memory expected = bytes.concat(
            _slice(data, 0, offset),
            bytes32(amount),
            _slice(data, offset + 32, data.length)
        );
        _assertEq(spliced, expected);
    }

    function testFuzz_WritingInPlaceLeavesNeighbouringMemoryAlone(
        bytes memory before,
        uint256 length,
        uint256 offset,
        uint256 amount
    ) public pure {
        bytes memory data = new bytes(_bound(length, 36, 512));
        bytes memory following = bytes.concat(before);
        offset = _bound(offset, 4, data.length - 32);
        bytes32 beforeHash = keccak256(before);
        CalldataSplice.write(data, offset, amount);
        _assertEq(keccak256(before), beforeHash);
        _assertEq(keccak256(following), beforeHash);
    }

    function testFuzz_RevertWhen_TheWordLiesOutsideTheArguments(
        bytes memory data,
        uint256 offset,
        uint256 length,
        uint256 amount
    ) public {
        data = bytes.concat(data, new bytes(36));
        _assertOutOfBounds(data, _bound(offset, 0, 3), amount);
        _assertOutOfBounds(data, _bound(offset, data.length - 31, type(uint256).max), amount);
        _assertOutOfBounds(new bytes(_bound(length, 0, 35)), _bound(offset, 4, type(uint256).max), amount);
    }

    function testFuzz_RevertWhen_TheWordIsNotZero(
        bytes memory data,
        uint256 offset,
        uint256 bit,
        uint256 amount
    ) public {
        data = bytes.concat(data, new bytes(36));
        offset = _bound(offset, 4, data.length - 32);
        bit = _bound(bit, 0, 255);
        // One bit anywhere in the word is enough.
        bytes32 found = bytes32(uint256(1) << bit);
        for (uint256 i; i < 32; ++i) data[offset + i] = found[i];

        VM.expectRevert(abi.encodeWithSelector(IBalanceActions.SpliceWordNotZero.selector, offset, found));
        this.write(data, offset, amount);
    }

    function testFuzz_RevertWhen_AWordIsWrittenTwice(uint256 length, uint256 offset, uint256 amount) public {
        bytes memory data = new bytes(_bound(length, 36, 512));
        offset = _bound(offset, 4, data.length - 32);
        amount = _bound(amount, 1, type(uint256).max);
        bytes memory once = this.write(data, offset, amount);

        VM.expectRevert(
            abi.encodeWithSelector(IBalanceActions.SpliceWordNotZero.selector, offset, bytes32(amount))
        );
        this.write(once, offset, amount);
    }

    function _assertOutOfBounds(bytes memory data, uint256 offset, uint256 amount) private {
        VM.expectRevert(
            abi.encodeWithSelector(IBalanceActions.SpliceOutOfBounds.selector, offset, data.length)
        );
        this.write(data, offset, amount);
    }

    function _slice(bytes memory data, uint256 from, uint256 to) private pure returns (bytes memory part) {
        part = new bytes(to - from);
        for (uint256 i; i < part.length; ++i) part[i] = data[from + i];
    }
}
