// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Order} from "../../../contracts/records/Order.sol";
import {RecordVerifier} from "../../../contracts/records/RecordVerifier.sol";
import {SolverSignature} from "../../../contracts/records/SolverSignature.sol";
import {OrderHash} from "../../../contracts/testing/OrderHash.sol";
import {OrderMaking} from "../support/OrderMaking.sol";

/// @title OrderTest
/// @notice The order library agrees with a plain version that shares no code with it.
contract OrderTest is OrderMaking {
    RecordVerifier private _verifier;

    function setUp() public {
        _verifier = new RecordVerifier();
    }

    function test_TypeHashesAreThoseOfTheAssembledTypes() public pure {
        _assertEq(Order.ORDER_TYPEHASH, OrderHash.orderTypeHash());
        _assertEq(Order.INPUT_TYPEHASH, OrderHash.inputTypeHash());
        _assertEq(Order.INPUT_PAYMENT_TYPEHASH, keccak256(bytes(OrderHash.INPUT_PAYMENT)));
        _assertEq(Order.INPUT_REFUND_TYPEHASH, keccak256(bytes(OrderHash.INPUT_REFUND)));
        _assertEq(Order.OUTPUT_TYPEHASH, OrderHash.outputTypeHash());
        _assertEq(Order.OUTPUT_PAYMENT_TYPEHASH, keccak256(bytes(OrderHash.OUTPUT_PAYMENT)));
        _assertEq(Order.FEE_TYPEHASH, keccak256(bytes(OrderHash.FEE)));
    }

    function test_EmptyOrderHashesLikeThePlainVersion() public view {
        Order.Data memory order;
        _assertEq(_idOf(order), _plainHash(order));
    }

    function testFuzz_HashIsThatOfThePlainVersion(uint256 seed) public view {
        Order.Data memory order = _order(seed);
        _assertEq(_idOf(order), _plainHash(order));
    }

    function testFuzz_HashTakesContentOfAnyLengthAnywhere(uint256 seed, bytes memory content) public view {
        Order.Data memory order = _order(seed);
        order.version = string(content);
        order.output.extraData = content;
        order.output.calls = new bytes[](3);
        order.output.calls[1] = content;
        order.fees = new Order.Fee[](1);
        order.fees[0].currencyChainId = string(content);
        order.inputs = new Order.Input[](2);
        order.inputs[1].refunds = new Order.InputRefund[](2);
        order.inputs[1].refunds[0].extraData = content;
        _assertEq(_idOf(order), _plainHash(order));
    }

    function testFuzz_HashTakesEveryNumberWhole(
        uint256 seed,
        uint256 number,
        uint32 deadline,
        address solver
    ) public view {
        Order.Data memory order = _order(seed);
        order.solver = solver;
        order.salt = number;
        order.output.deadline = deadline;
        order.inputs = new Order.Input[](1);
        order.inputs[0].payment.amount = number;
        order.inputs[0].payment.weight = ~number;
        order.inputs[0].refunds = new Order.InputRefund[](1);
        order.inputs[0].refunds[0].deadline = deadline;
        order.inputs[0].refunds[0].minimumAmount = number;
        _assertEq(_idOf(order), _plainHash(order));
    }

    function testFuzz_DigestIsTheEthereumMessageOfTheId(uint256 seed) public view {
        (bytes32 orderId, bytes32 digest) = _verifier.hashOrder(_order(seed));
        _assertEq(digest, _ethereumMessage(orderId));
    }

    function testFuzz_AnyKeyIsRecoveredFromItsSignature(uint256 seed, uint256 keySeed) public view {
        Order.Data memory order = _order(seed);
        uint256 key = _boundKey(keySeed);
        bytes memory signature = _signOrder(key, _plainHash(order));
        _assertEq(_verifier.recoverOrderSigner(order, signature), VM.addr(key));
    }

    function testFuzz_AnotherOrderHasAnotherIdAndRecoversAnotherSigner(
        uint256 seed,
        uint256 otherSeed
    ) public view {
        VM.assume(seed != otherSeed);
        Order.Data memory order = _order(seed);
        Order.Data memory other = _order(otherSeed);
        uint256 key = _boundKey(seed);
        bytes memory signature = _signOrder(key, _plainHash(order));

        _assertNotEq(_idOf(order), _idOf(other));
        _assertNotEq(_recoverOrZero(other, signature), VM.addr(key));
    }

    function testFuzz_OrderOfAnArrayBelongsToTheId(
        uint256 seed,
        bytes memory one,
        bytes memory two
    ) public view {
        VM.assume(keccak256(one) != keccak256(two));
        Order.Data memory order = _order(seed);
        order.output.calls = new bytes[](2);
        (order.output.calls[0], order.output.calls[1]) = (one, two);
        bytes32 forward = _idOf(order);
        (order.output.calls[0], order.output.calls[1]) = (two, one);
        _assertNotEq(forward, _idOf(order));
    }

    function _idOf(Order.Data memory order) private view returns (bytes32 orderId) {
        (orderId, ) = _verifier.hashOrder(order);
    }

    /// @dev The signature of another order may recover to no address; the library then reverts.
    function _recoverOrZero(Order.Data memory order, bytes memory signature) private view returns (address) {
        try _verifier.recoverOrderSigner(order, signature) returns (address signer) {
            return signer;
        } catch (bytes memory reason) {
            _assertEq(reason, abi.encodePacked(SolverSignature.SignatureRecoversNobody.selector));
            return address(0);
        }
    }
}
