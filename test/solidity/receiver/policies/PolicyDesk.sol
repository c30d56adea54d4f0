// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {CurrencyLimits} from "../../../../contracts/receiver/policies/CurrencyLimits.sol";
import {ExpiryCoSignature} from "../../../../contracts/receiver/policies/ExpiryCoSignature.sol";
import {PausePolicy} from "../../../../contracts/receiver/policies/PausePolicy.sol";
import {RecipientAllowListMapping} from "../../../../contracts/receiver/policies/RecipientAllowListMapping.sol";
import {TwoStepOwner} from "../../../../contracts/receiver/policies/TwoStepOwner.sol";

/// @title PolicyDesk
/// @notice The policies without a constructor, alone.
contract PolicyDesk is CurrencyLimits, PausePolicy, ExpiryCoSignature, RecipientAllowListMapping {
    constructor(address owner_) TwoStepOwner(owner_) {}
}
