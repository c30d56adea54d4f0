// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

/// @title Approvals that would outlive their call
/// @notice A spender approved in one call of an open executor could rob a later caller. So steps may not call some
/// approving functions, those of widespread tokens, nor the registry of ERC-1820.
/// @dev Second line of defense: many tokens have other such functions, or reach these through their own `multicall`. The
/// first line is `ExactApproval`: the executor measures every outflow. The list narrows what measuring cannot see: what a
/// step brings in and loses before it ends, and funds sent ahead and lost before the steps begin.
library StandingApproval {
    /// @notice The registry of ERC-1820, at the same address on every chain. An account can register hooks there that
    /// run whenever an ERC-777 token moves to or from it, and can transfer that right permanently.
    address internal constant ERC1820_REGISTRY = 0x1820a4B7618BdE71Dce8cdc73aAB6C95905faD24;

    bytes4 private constant APPROVE = 0x095ea7b3; // approve(address,uint256), ERC-20 and ERC-721
    bytes4 private constant INCREASE_ALLOWANCE = 0x39509351; // increaseAllowance(address,uint256)
    bytes4 private constant INCREASE_APPROVAL = 0xd73dd623; // increaseApproval(address,uint256)
    bytes4 private constant SET_APPROVAL_FOR_ALL = 0xa22cb465; // setApprovalForAll(address,bool), ERC-721 and ERC-1155
    bytes4 private constant AUTHORIZE_OPERATOR = 0x959b8c3f; // authorizeOperator(address), ERC-777
    bytes4 private constant PERMIT2_APPROVE = 0x87517c45; // approve(address,address,uint160,uint48), Permit2
    bytes4 private constant ALLOW = 0x110496e5; // allow(address,bool), Compound III

    /// @dev One bit for each first byte of the selectors above.
    uint256 private constant FIRST_BYTES =
        (1 << 0x09) | (1 << 0x11) | (1 << 0x39) | (1 << 0x87) | (1 << 0x95) | (1 << 0xa2) | (1 << 0xd7);

    /// @notice Whether a call gives an approval that the list knows.
    /// @param selector The first four bytes of its calldata.
    /// @return gives True for the functions above, false for every other approving function.
    function isGivenBy(bytes4 selector) internal pure returns (bool gives) {
        // Gas: every step runs this check, and 36 of 37 selectors share no first byte with the list.
        if ((FIRST_BYTES >> uint8(selector[0])) & 1 == 0) return false;
        return
            selector == APPROVE ||
            selector == INCREASE_ALLOWANCE ||
            selector == INCREASE_APPROVAL ||
            selector == SET_APPROVAL_FOR_ALL ||
            selector == AUTHORIZE_OPERATOR ||
            selector == PERMIT2_APPROVE ||
            selector == ALLOW;
    }
}
