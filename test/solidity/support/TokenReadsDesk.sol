// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {TokenReads} from "../../../contracts/libraries/TokenReads.sol";

/// @title TokenReadsDesk
/// @notice The reads of the library, as outside calls that can be expected to revert.
contract TokenReadsDesk {
    function balanceOf(address token, address account) external view returns (uint256) {
        return TokenReads.balanceOf(token, account);
    }

    function allowance(address token, address owner, address spender) external view returns (uint256) {
        return TokenReads.allowance(token, owner, spender);
    }
}
