// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ISignedPulls} from "../../../../contracts/interfaces/receiver/ISignedPulls.sol";
import {SignedPayments} from "../../../../contracts/libraries/SignedPayments.sol";
import {RefundDesk} from "./RefundDesk.sol";

/// @title CoverageDesk
/// @notice The refund ledger with payments by signature, whose tokens pass through it.
contract CoverageDesk is RefundDesk {
    constructor(address owner_) RefundDesk(owner_) {}

    /// @notice Pays by an ERC-3009 authorization.
    function pay(
        address token,
        address payee,
        uint256 amount,
        bytes32 requestId,
        bytes32 nonce,
        ISignedPulls.Authorization calldata authorization
    ) external nonReentrant {
        SignedPayments.payWithAuthorization(token, payee, amount, requestId, nonce, authorization);
    }
}
