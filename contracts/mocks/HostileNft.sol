// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IERC721Receiver} from "@openzeppelin/contracts/token/ERC721/IERC721Receiver.sol";

/// @title HostileNft
/// @notice A contract that claims to have sent an ERC-721 token and has none. Asked to send it on, it calls a target
/// of the attacker's choice. It ignores a failure of that call and records the result.
contract HostileNft {
    /// @notice Target of the callback when the token is forwarded.
    address public callbackTarget;

    /// @notice Calldata of that call.
    bytes public data;

    /// @notice Intended recipient of the forwarded token.
    address public sentTo;

    /// @notice Whether the call succeeded.
    bool public lastSuccess;

    /// @notice Return or revert data of the call.
    bytes public lastReturnData;

    /// @notice Sets the call.
    /// @param target_ the account that is called
    /// @param data_ the calldata
    function arm(address target_, bytes calldata data_) external {
        callbackTarget = target_;
        data = data_;
    }

    /// @notice Reports a token to an account that has none.
    /// @param to the account
    /// @param tokenId the token's id
    function report(address to, uint256 tokenId) external {
        IERC721Receiver(to).onERC721Received(msg.sender, address(0), tokenId, "");
    }

    /// @notice Sends nothing, and calls back.
    /// @param to intended recipient
    function safeTransferFrom(address, address to, uint256, bytes calldata) external {
        sentTo = to;
        (lastSuccess, lastReturnData) = callbackTarget.call(data);
    }
}
