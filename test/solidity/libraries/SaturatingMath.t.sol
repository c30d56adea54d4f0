// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {SaturatingMath} from "../../../contracts/libraries/SaturatingMath.sol";
import {Test} from "../support/Test.sol";

/// @title SaturatingMathTest
/// @notice Agrees with the compiler's checked arithmetic, and saturates where that reverts.
contract SaturatingMathTest is Test {
    using SaturatingMath for uint256;

    function testFuzz_ASumIsExactOrTheLargestNumber(uint128 small, uint256 a, uint256 b) public pure {
        uint256 expected = a > type(uint256).max - b ? type(uint256).max : a + b;
        _assertEq(a.add(b), expected);
        _assertEq(uint256(small).add(small), uint256(small) + small);
        _assertEq(type(uint256).max.add(b), type(uint256).max);
    }

    function testFuzz_ADifferenceIsNeverBelowZero(uint256 a, uint256 b) public pure {
        _assertEq(a.subtract(b), a > b ? a - b : 0);
        _assertEq(a.subtract(a), 0);
    }
}
