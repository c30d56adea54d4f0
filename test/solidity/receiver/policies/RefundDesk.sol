// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {RefundLedger} from "../../../../contracts/receiver/policies/RefundLedger.sol";
import {TwoStepOwner} from "../../../../contracts/receiver/policies/TwoStepOwner.sol";

/// @title RefundDesk
/// @notice The refund ledger alone; any account may record a deposit.
contract RefundDesk is RefundLedger {
    constructor(address owner_) TwoStepOwner(owner_) {}

    /// @notice Records a deposit.
    function consume(bytes32 requestId, address depositor) external {
        _consume(requestId, depositor);
    }
}
