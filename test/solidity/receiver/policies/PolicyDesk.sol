// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {TwoStepOwner} from "../../../../contracts/receiver/policies/TwoStepOwner.sol";
import {AllPolicies} from "./AllPolicies.sol";

/// @title PolicyDesk
/// @notice The policies without a constructor, without a receiver. Each check is asked as the lens asks it, last base
/// first. `CompositionTest` shows that deposits pass the same checks.
contract PolicyDesk is AllPolicies {
    /// @notice The deadline and the co-signer's signature over it.
    struct CoSignature {
        uint256 deadline;
        bytes32 r;
        bytes32 vs;
    }

    constructor(address owner_) TwoStepOwner(owner_) {}

    function checkRecipient(uint256 chainId, bytes32 account) external view {
        Attempt memory attempt;
        (attempt.destinationChainId, attempt.destinationUser) = (chainId, account);
        this.checkPolicy(0, attempt);
    }

    function checkExpiry(bytes32 requestId, CoSignature calldata coSignature) external view {
        Attempt memory attempt;
        (attempt.requestId, attempt.signature) = (requestId, abi.encode(coSignature));
        this.checkPolicy(1, attempt);
    }

    function checkNotPaused() external view {
        Attempt memory attempt;
        this.checkPolicy(2, attempt);
    }

    function checkLimits(address currency, uint256 amount) external view {
        Attempt memory attempt;
        (attempt.currency, attempt.amount) = (currency, amount);
        this.checkPolicy(3, attempt);
    }

    function checkPolicy(uint256 index, Attempt calldata attempt) external view returns (bool) {
        return _checkPolicy(index, attempt);
    }

    function _checkSolver(bytes32, bytes calldata) internal view override returns (address, address) {
        return (address(this), address(this));
    }
}
