// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {OrderTerms} from "../records/OrderTerms.sol";
import {ProtocolNames} from "../records/ProtocolNames.sol";

/// @title TermsChecker
/// @notice Exposes `OrderTerms` and `ProtocolNames` to tests.
contract TermsChecker {
    function check(
        OrderTerms.Order calldata order,
        bytes calldata signature,
        OrderTerms.Terms calldata terms
    ) external view returns (bytes32) {
        return OrderTerms.check(order, signature, terms);
    }

    /// @notice Gas of an inlined check, without the call and the decoding of its arguments.
    function measure(
        OrderTerms.Order calldata order,
        bytes calldata signature,
        OrderTerms.Terms memory terms
    ) external view returns (uint256 used) {
        used = gasleft();
        OrderTerms.check(order, signature, terms);
        used -= gasleft();
    }

    function checkDepositor(address depositor) external view {
        OrderTerms.checkDepositor(depositor);
    }

    function nameOf(uint256 chainId) external pure returns (bytes32) {
        return ProtocolNames.hashOf(chainId);
    }

    function originName() external view returns (bytes32) {
        return ProtocolNames.origin();
    }
}
