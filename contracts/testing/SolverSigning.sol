// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {Order} from "../records/Order.sol";
import {SignatureRecord} from "../records/SignatureRecord.sol";
import {DigestSigning} from "./DigestSigning.sol";
import {OrderHash} from "./OrderHash.sol";

/// @title SolverSigning
/// @notice Signs records and orders in a test, as the service's solver does: by `_solver()` unless another key is given.
/// @dev Digests are computed by `abi.encode`, without the code of the receivers, so that a test also tests their hashing.
abstract contract SolverSigning is DigestSigning {
    /// @notice Key of the test's solver.
    uint256 internal constant SOLVER_KEY = uint256(keccak256("the solver of a test"));

    /// @notice The test's solver: pin it in the receiver under test.
    function _solver() internal pure returns (address) {
        return VM.addr(SOLVER_KEY);
    }

    /// @notice The solver's signature of a record.
    function _signRecord(SignatureRecord.Record memory record) internal pure returns (bytes memory) {
        return _signRecord(SOLVER_KEY, record);
    }

    /// @notice Signature of a record by any key.
    function _signRecord(
        uint256 key,
        SignatureRecord.Record memory record
    ) internal pure returns (bytes memory) {
        return _signDigest(key, _recordDigest(record));
    }

    /// @notice The solver's signature of an order.
    function _signOrder(Order.Data memory order) internal pure returns (bytes memory) {
        return _signOrderId(SOLVER_KEY, OrderHash.hash(order));
    }

    /// @notice Signature of an order's id by any key.
    function _signOrderId(uint256 key, bytes32 orderId) internal pure returns (bytes memory) {
        return _signDigest(key, _ethereumMessage(orderId));
    }

    /// @notice Digest of a version 1 record that the solver signs.
    function _recordDigest(SignatureRecord.Record memory record) internal pure returns (bytes32) {
        return _ethereumMessage(keccak256(abi.encode(record)));
    }
}
