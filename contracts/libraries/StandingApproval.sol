// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

/// @title Approvals that would outlive their call
/// @notice An open executor that let its callers approve spenders could be robbed in the middle of a later call by a
/// spender approved in an earlier one. The approving functions of the token standards are therefore refused as steps.
/// @dev Tokens may invent others; minimum outputs bound what those could take.
library StandingApproval {
    bytes4 private constant APPROVE = 0x095ea7b3; // approve(address,uint256), ERC-20 and ERC-721
    bytes4 private constant INCREASE_ALLOWANCE = 0x39509351; // increaseAllowance(address,uint256)
    bytes4 private constant APPROVE_AND_CALL = 0x3177029f; // approveAndCall(address,uint256), ERC-1363
    bytes4 private constant APPROVE_AND_CALL_DATA = 0xcae9ca51; // approveAndCall(address,uint256,bytes), ERC-1363
    bytes4 private constant SET_APPROVAL_FOR_ALL = 0xa22cb465; // setApprovalForAll(address,bool), ERC-721 and ERC-1155

    /// @notice Whether a function gives an approval.
    /// @param selector The function's selector.
    /// @return True for the approving functions of ERC-20, ERC-721, ERC-1155 and ERC-1363.
    function isGivenBy(bytes4 selector) internal pure returns (bool) {
        return
            selector == APPROVE ||
            selector == INCREASE_ALLOWANCE ||
            selector == APPROVE_AND_CALL ||
            selector == APPROVE_AND_CALL_DATA ||
            selector == SET_APPROVAL_FOR_ALL;
    }

    /// @notice What `spender` may still take of `owner`'s `token`.
    /// @param token The token.
    /// @param owner Who approved.
    /// @param spender Who was approved.
    /// @return amount In the token's smallest unit; zero when the token does not answer as ERC-20 asks.
    function allowance(address token, address owner, address spender) internal view returns (uint256 amount) {
        assembly ("memory-safe") {
            let data := mload(0x40)
            mstore(data, shl(224, 0xdd62ed3e)) // allowance(address,address)
            mstore(add(data, 0x04), owner)
            mstore(add(data, 0x24), spender)
            let success := staticcall(gas(), token, data, 0x44, 0x00, 0x20)
            amount := mul(mload(0x00), and(success, gt(returndatasize(), 0x1f)))
        }
    }
}
