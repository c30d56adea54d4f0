// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

/// @title Approvals that would outlive their call
/// @notice An open executor that let its callers approve spenders could be robbed in the middle of a later call by a
/// spender approved in an earlier one. The approving functions of the token standards are therefore refused as steps.
/// @dev Tokens may have others, or reach these through a `multicall` of their own: the list makes the attack rare, not
/// impossible. Minimum outputs bound what is left of it.
library StandingApproval {
    bytes4 private constant APPROVE = 0x095ea7b3; // approve(address,uint256), ERC-20 and ERC-721
    bytes4 private constant INCREASE_ALLOWANCE = 0x39509351; // increaseAllowance(address,uint256)
    bytes4 private constant INCREASE_APPROVAL = 0xd73dd623; // increaseApproval(address,uint256)
    bytes4 private constant APPROVE_AND_CALL = 0x3177029f; // approveAndCall(address,uint256), ERC-1363
    bytes4 private constant APPROVE_AND_CALL_DATA = 0xcae9ca51; // approveAndCall(address,uint256,bytes), ERC-1363
    bytes4 private constant SET_APPROVAL_FOR_ALL = 0xa22cb465; // setApprovalForAll(address,bool), ERC-721 and ERC-1155
    bytes4 private constant AUTHORIZE_OPERATOR = 0x959b8c3f; // authorizeOperator(address), ERC-777
    bytes4 private constant SET_OPERATOR = 0x558a7297; // setOperator(address,bool), ERC-6909
    bytes4 private constant APPROVE_ID = 0x426a8493; // approve(address,uint256,uint256), ERC-6909

    /// @notice Whether a function gives an approval.
    /// @param selector The function's selector.
    /// @return gives True for the approving functions of ERC-20, ERC-721, ERC-777, ERC-1155, ERC-1363 and ERC-6909.
    function isGivenBy(bytes4 selector) internal pure returns (bool gives) {
        // Compared without branches: every step passes here, and nearly none is refused.
        assembly ("memory-safe") {
            gives := eq(selector, APPROVE)
            gives := or(gives, eq(selector, INCREASE_ALLOWANCE))
            gives := or(gives, eq(selector, INCREASE_APPROVAL))
            gives := or(gives, eq(selector, APPROVE_AND_CALL))
            gives := or(gives, eq(selector, APPROVE_AND_CALL_DATA))
            gives := or(gives, eq(selector, SET_APPROVAL_FOR_ALL))
            gives := or(gives, eq(selector, AUTHORIZE_OPERATOR))
            gives := or(gives, eq(selector, SET_OPERATOR))
            gives := or(gives, eq(selector, APPROVE_ID))
        }
    }
}
