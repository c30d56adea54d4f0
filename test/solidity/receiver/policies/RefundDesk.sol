// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {RefundLedger} from "../../../../contracts/receiver/policies/RefundLedger.sol";
import {TwoStepOwner} from "../../../../contracts/receiver/policies/TwoStepOwner.sol";

/// @title RefundDesk
/// @notice The refund ledger alone: anybody can say who paid for a request.
contract RefundDesk is RefundLedger {
    /// @param owner_ who may rescue and attribute
    constructor(address owner_) TwoStepOwner(owner_) {}

    /// @notice Notes a deposit.
    /// @param requestId the request
    /// @param depositor who paid
    function consume(bytes32 requestId, address depositor) external {
        _consume(requestId, depositor);
    }
}
