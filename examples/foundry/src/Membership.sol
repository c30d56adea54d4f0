// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {PinnedReceiver} from "waybill/contracts/receiver/PinnedReceiver.sol";

/// @title Membership
/// @notice Sells memberships for a fee in one token, which a treasury on another chain receives. To join, approve exactly the fee
/// and deposit it in any of the receiver's ways. Quote with `user` = the caller and `recipient` = the treasury.
contract Membership is PinnedReceiver {
    address public immutable token;
    uint256 public immutable fee;
    uint256 public immutable treasuryChainId;
    bytes32 public immutable treasury;

    mapping(address account => bool) public isMember;

    event Joined(address indexed member, bytes32 indexed requestId);

    error AlreadyMember(address member);
    error NotTheFee(address currency, uint256 amount);
    error NotTheTreasury(uint256 chainId, bytes32 account);

    /// @param solver_ The solver, from your own list, never from the API. It receives the tokens.
    /// @param token_ The fee's token.
    /// @param fee_ The fee, in the token's smallest unit.
    /// @param chainId The treasury's chain.
    /// @param account The treasury, left-padded.
    constructor(
        address solver_,
        address token_,
        uint256 fee_,
        uint256 chainId,
        bytes32 account
    ) PinnedReceiver(solver_, solver_, Binding.Caller, address(0)) {
        token = token_;
        fee = fee_;
        treasuryChainId = chainId;
        treasury = account;
    }

    /// @dev A policy of our own: every deposit passes here before it is paid, whichever function it came by.
    function _authorize(
        bytes32 requestId,
        address depositor,
        address currency,
        uint256 amount,
        bytes calldata policyData
    ) internal override returns (bytes32) {
        if (currency != token || amount != fee) revert NotTheFee(currency, amount);
        if (isMember[depositor]) revert AlreadyMember(depositor);
        isMember[depositor] = true;
        emit Joined(depositor, requestId);
        return super._authorize(requestId, depositor, currency, amount, policyData);
    }

    function _authorizeRecipient(uint256 chainId, bytes32 account) internal override returns (bytes32) {
        if (chainId != treasuryChainId || account != treasury) revert NotTheTreasury(chainId, account);
        return super._authorizeRecipient(chainId, account);
    }
}
