// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Order} from "../../../contracts/records/Order.sol";
import {RecordVerifier} from "../../../contracts/records/RecordVerifier.sol";
import {SignatureRecord} from "../../../contracts/records/SignatureRecord.sol";
import {OrderHash} from "../../../contracts/testing/OrderHash.sol";
import {SolverSigning} from "../../../contracts/testing/SolverSigning.sol";
import {OrderMaking} from "../support/OrderMaking.sol";

/// @title SolverSigningTest
/// @notice The published verifier recovers the signer from what the kit signs.
contract SolverSigningTest is OrderMaking, SolverSigning {
    RecordVerifier private _verifier;

    function setUp() public {
        _verifier = new RecordVerifier();
    }

    function testFuzz_SolversRecordRecoversToTheSolver(SignatureRecord.Record memory record) public view {
        _assertEq(_verifier.recoverSigner(record, _signRecord(record)), _solver());
    }

    function testFuzz_RecordOfAnotherKeyRecoversToThatKey(
        SignatureRecord.Record memory record,
        uint256 seed
    ) public view {
        uint256 key = _boundKey(seed);
        _assertEq(_verifier.recoverSigner(record, _signRecord(key, record)), VM.addr(key));
    }

    function testFuzz_CompactSignatureOfARecordRecoversToItsKey(
        SignatureRecord.Record memory record,
        uint256 seed
    ) public view {
        uint256 key = _boundKey(seed);
        bytes memory signature = _signDigestCompact(key, _recordDigest(record));
        _assertEq(signature.length, 64);
        _assertEq(_verifier.recoverSigner(record, signature), VM.addr(key));
    }

    function testFuzz_SolversOrderRecoversToTheSolver(uint256 seed) public view {
        Order.Data memory order = _order(seed);
        _assertEq(_verifier.recoverOrderSigner(order, _signOrder(order)), _solver());
    }

    function testFuzz_OrderIdSignedByAnotherKeyRecoversToThatKey(uint256 seed) public view {
        Order.Data memory order = _order(seed);
        uint256 key = _boundKey(seed);
        bytes memory signature = _signOrderId(key, OrderHash.hash(order));
        _assertEq(_verifier.recoverOrderSigner(order, signature), VM.addr(key));
    }
}
