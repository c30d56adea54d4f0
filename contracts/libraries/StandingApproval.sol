// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

/// @title Approvals that would outlive their call
/// @notice A spender approved in one call of an open executor could rob a later caller. So steps may not call the
/// approving functions of common standards, nor the registry of ERC-1820.
/// @dev Second line of defense: tokens may have other such functions, or reach these through their own `multicall`. The
/// first line is `ExactApproval`: the executor measures every outflow.
library StandingApproval {
    /// @notice The registry of ERC-1820, at the same address on every chain. An account can register hooks there that
    /// run whenever an ERC-777 token moves to or from it, and can transfer that right permanently.
    address internal constant ERC1820_REGISTRY = 0x1820a4B7618BdE71Dce8cdc73aAB6C95905faD24;

    bytes4 private constant APPROVE = 0x095ea7b3; // approve(address,uint256), ERC-20 and ERC-721
    bytes4 private constant INCREASE_ALLOWANCE = 0x39509351; // increaseAllowance(address,uint256)
    bytes4 private constant INCREASE_APPROVAL = 0xd73dd623; // increaseApproval(address,uint256)
    bytes4 private constant APPROVE_AND_CALL = 0x3177029f; // approveAndCall(address,uint256), ERC-1363
    bytes4 private constant APPROVE_AND_CALL_DATA = 0xcae9ca51; // approveAndCall(address,uint256,bytes), ERC-1363
    bytes4 private constant SET_APPROVAL_FOR_ALL = 0xa22cb465; // setApprovalForAll(address,bool), ERC-721 and ERC-1155
    bytes4 private constant AUTHORIZE_OPERATOR = 0x959b8c3f; // authorizeOperator(address), ERC-777
    bytes4 private constant SET_OPERATOR = 0x558a7297; // setOperator(address,bool), ERC-6909
    bytes4 private constant APPROVE_ID = 0x426a8493; // approve(address,uint256,uint256), ERC-6909
    bytes4 private constant PERMIT2_APPROVE = 0x87517c45; // approve(address,address,uint160,uint48), Permit2
    bytes4 private constant ALLOW = 0x110496e5; // allow(address,bool), Compound III
    bytes4 private constant AUTHORIZE_OPERATOR_DATA = 0xb49506fd; // authorizeOperator(address,uint256,bytes), LSP7

    /// @dev One bit for each first byte of the selectors above.
    uint256 private constant FIRST_BYTES =
        (1 << (uint32(APPROVE) >> 24)) |
            (1 << (uint32(INCREASE_ALLOWANCE) >> 24)) |
            (1 << (uint32(INCREASE_APPROVAL) >> 24)) |
            (1 << (uint32(APPROVE_AND_CALL) >> 24)) |
            (1 << (uint32(APPROVE_AND_CALL_DATA) >> 24)) |
            (1 << (uint32(SET_APPROVAL_FOR_ALL) >> 24)) |
            (1 << (uint32(AUTHORIZE_OPERATOR) >> 24)) |
            (1 << (uint32(SET_OPERATOR) >> 24)) |
            (1 << (uint32(APPROVE_ID) >> 24)) |
            (1 << (uint32(PERMIT2_APPROVE) >> 24)) |
            (1 << (uint32(ALLOW) >> 24)) |
            (1 << (uint32(AUTHORIZE_OPERATOR_DATA) >> 24));

    /// @notice Whether a call gives an approval.
    /// @param selector The first four bytes of its calldata.
    /// @return gives True for the approving functions of ERC-20, ERC-721, ERC-777, ERC-1155, ERC-1363, ERC-6909, LSP7, Permit2 and
    /// Compound III.
    function isGivenBy(bytes4 selector) internal pure returns (bool gives) {
        uint256 firstBytes = FIRST_BYTES;
        assembly ("memory-safe") {
            // Gas: every step runs this check, and 19 of 20 selectors share no first byte with the list.
            if and(shr(byte(0, selector), firstBytes), 1) {
                gives := eq(selector, APPROVE)
                gives := or(gives, eq(selector, INCREASE_ALLOWANCE))
                gives := or(gives, eq(selector, INCREASE_APPROVAL))
                gives := or(gives, eq(selector, APPROVE_AND_CALL))
                gives := or(gives, eq(selector, APPROVE_AND_CALL_DATA))
                gives := or(gives, eq(selector, SET_APPROVAL_FOR_ALL))
                gives := or(gives, eq(selector, AUTHORIZE_OPERATOR))
                gives := or(gives, eq(selector, SET_OPERATOR))
                gives := or(gives, eq(selector, APPROVE_ID))
                gives := or(gives, eq(selector, PERMIT2_APPROVE))
                gives := or(gives, eq(selector, ALLOW))
                gives := or(gives, eq(selector, AUTHORIZE_OPERATOR_DATA))
            }
        }
    }
}
