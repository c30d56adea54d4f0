// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {MeasuredTransfer} from "waybill/contracts/libraries/MeasuredTransfer.sol";
import {PinnedReceiver} from "waybill/contracts/receiver/PinnedReceiver.sol";

/// @title Membership
/// @notice Sells memberships for a fee in one token, which a treasury on another chain receives.
contract Membership is PinnedReceiver {
    address public immutable token;
    uint256 public immutable fee;
    uint256 public immutable treasuryChainId;
    bytes32 public immutable treasury;

    mapping(address account => bool) public isMember;

    event Joined(address indexed member, bytes32 indexed requestId);

    error AlreadyMember(address member);

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

    /// @notice Joins. Approve exactly the fee first. Quote with `user` = the caller and `recipient` = the treasury.
    function join(bytes32 requestId, bytes calldata signature) external nonReentrant {
        if (isMember[msg.sender]) revert AlreadyMember(msg.sender);
        // Rebuilds the solver's record from the payment, rejects a used id, and consumes this one.
        _consume(requestId, msg.sender, token, fee, treasuryChainId, treasury, signature);
        isMember[msg.sender] = true;
        emit Joined(msg.sender, requestId);
        // Reverts unless exactly the fee arrives at the solver.
        MeasuredTransfer.transferFromWithId(token, solver, fee, requestId);
    }
}
