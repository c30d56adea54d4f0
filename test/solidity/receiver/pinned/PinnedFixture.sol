// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IRecordReceiver} from "../../../../contracts/interfaces/receiver/IRecordReceiver.sol";
import {PinnedReceiver} from "../../../../contracts/receiver/PinnedReceiver.sol";
import {SignatureRecord} from "../../../../contracts/records/SignatureRecord.sol";
import {LocalToken} from "../../../../contracts/service/currencies/LocalToken.sol";
import {RecordSigning} from "../../support/RecordSigning.sol";

/// @title PinnedFixture
/// @notice Two receivers of one solver, one of each binding, and payments that are valid until a test alters them.
abstract contract PinnedFixture is RecordSigning {
    using SignatureRecord for address;

    /// @notice The fuzzer's inputs: a payment of any kind.
    struct Draw {
        uint256 amount;
        bytes32 requestId;
        uint256 destinationChainId;
        bytes32 destinationUser;
        bool isNative;
        bool bindsCaller;
        bool compact;
    }

    /// @notice A call of a receiver. `currency` zero is a native deposit of `amount`.
    struct Payment {
        PinnedReceiver receiver;
        address caller;
        address currency;
        uint256 amount;
        bytes32 requestId;
        uint256 destinationChainId;
        bytes32 destinationUser;
        bytes signature;
    }

    struct Balances {
        uint256 caller;
        uint256 payee;
        uint256 receiver;
    }

    uint256 internal constant SOLVER_KEY = uint256(keccak256("the solver's key"));
    uint256 internal constant MAX_AMOUNT = type(uint128).max;

    address internal immutable SOLVER = VM.addr(SOLVER_KEY);
    address internal immutable NATIVE_PAYEE = _account("native payee");
    address internal immutable REFUND_PAYEE = _account("refund payee");
    address internal immutable DEPOSITOR = _account("depositor");
    address internal immutable STRANGER = _account("stranger");

    PinnedReceiver internal _byReceiver;
    PinnedReceiver internal _byCaller;
    LocalToken internal _token;
    LocalToken internal _otherToken;

    function _deployReceivers() internal {
        _byReceiver = _newReceiver(IRecordReceiver.Binding.Receiver);
        _byCaller = _newReceiver(IRecordReceiver.Binding.Caller);
        _token = new LocalToken("Token", "ONE", 6, address(this));
        _otherToken = new LocalToken("Other", "TWO", 6, address(this));
    }

    function _newReceiver(IRecordReceiver.Binding binding) internal virtual returns (PinnedReceiver) {
        return new PinnedReceiver(SOLVER, NATIVE_PAYEE, binding, REFUND_PAYEE);
    }

    /// @dev A payment the receiver must accept: funded, approved and signed.
    function _validPayment(Draw memory draw) internal returns (Payment memory payment) {
        payment = _signedPayment(draw, DEPOSITOR, draw.isNative ? address(0) : address(_token));
        _fund(payment);
    }

    function _signedPayment(
        Draw memory draw,
        address caller,
        address currency
    ) internal view returns (Payment memory payment) {
        payment = Payment({
            receiver: draw.bindsCaller ? _byCaller : _byReceiver,
            caller: caller,
            currency: currency,
            amount: _bound(draw.amount, 1, MAX_AMOUNT),
            requestId: draw.requestId,
            destinationChainId: _bound(draw.destinationChainId, 1, type(uint64).max),
            destinationUser: draw.destinationUser,
            signature: ""
        });
        if (draw.compact) payment.signature = _signDigestCompact(SOLVER_KEY, _digest(_recordOf(payment)));
        else _sign(SOLVER_KEY, payment);
    }

    function _sign(uint256 key, Payment memory payment) internal view {
        payment.signature = _signDigest(key, _digest(_recordOf(payment)));
    }

    /// @dev One unit more than the payment takes, so that a payment of too much fails for no other reason.
    function _fund(Payment memory payment) internal {
        if (payment.currency == address(0)) {
            VM.deal(payment.caller, payment.amount + 1);
        } else {
            LocalToken(payment.currency).mint(payment.caller, payment.amount + 1);
            VM.prank(payment.caller);
            LocalToken(payment.currency).approve(address(payment.receiver), payment.amount + 1);
        }
    }

    /// @dev The record that matches the chain and the payment.
    function _recordOf(Payment memory payment) internal view returns (SignatureRecord.Record memory) {
        bool isBoundToReceiver = payment.receiver.binding() == IRecordReceiver.Binding.Receiver;
        return
            SignatureRecord.Record({
                requestId: payment.requestId,
                originChainId: block.chainid,
                originUser: (isBoundToReceiver ? address(payment.receiver) : payment.caller).word(),
                originCurrency: payment.currency.word(),
                originAmount: payment.amount,
                destinationChainId: payment.destinationChainId,
                destinationUser: payment.destinationUser
            });
    }

    function _callOf(Payment memory p) internal pure returns (bytes memory) {
        (bytes32 id, uint256 chainId, bytes32 user) = (p.requestId, p.destinationChainId, p.destinationUser);
        if (p.currency == address(0)) {
            return abi.encodeCall(IRecordReceiver.deposit, (id, chainId, user, p.signature));
        }
        return
            abi.encodeCall(
                IRecordReceiver.depositErc20,
                (p.currency, p.amount, id, chainId, user, p.signature)
            );
    }

    function _attempt(
        Payment memory payment,
        bytes memory data
    ) internal returns (bool success, bytes memory reason) {
        VM.prank(payment.caller);
        uint256 value = payment.currency == address(0) ? payment.amount : 0;
        (success, reason) = address(payment.receiver).call{value: value}(data);
    }

    /// @dev The payee receives exactly the amount, the receiver keeps none, and the id is consumed.
    function _assertAccepted(Payment memory payment) internal {
        Balances memory before = _balancesOf(payment);
        _expectDeposited(payment, payment.caller);
        (bool success, bytes memory reason) = _attempt(payment, _callOf(payment));
        _assertEq(reason, "");
        _assertEq(success, true);
        Balances memory afterwards = _balancesOf(payment);
        _assertEq(before.caller - afterwards.caller, payment.amount);
        _assertEq(afterwards.payee - before.payee, payment.amount);
        _assertEq(afterwards.receiver, 0);
        _assertEq(payment.receiver.depositorOf(payment.requestId), payment.caller);
    }

    function _expectDeposited(Payment memory payment, address depositor) internal {
        (bytes32 id, address currency) = (payment.requestId, payment.currency);
        CHEATS.expectEmit(address(payment.receiver));
        if (currency == address(0)) emit IRecordReceiver.NativeDeposited(id, depositor, payment.amount);
        else emit IRecordReceiver.Erc20Deposited(id, depositor, currency, payment.amount);
    }

    /// @dev Reverts with exactly this reason, and moves neither money nor the id.
    function _assertRefused(Payment memory payment, bytes memory expected) internal {
        bytes memory before = abi.encode(_balancesOf(payment));
        address depositor = payment.receiver.depositorOf(payment.requestId);
        (bool success, bytes memory reason) = _attempt(payment, _callOf(payment));
        _assertEq(success, false);
        _assertEq(reason, expected);
        _assertEq(payment.receiver.depositorOf(payment.requestId), depositor);
        _assertEq(abi.encode(_balancesOf(payment)), before);
    }

    function _balancesOf(Payment memory payment) internal view returns (Balances memory) {
        address currency = payment.currency;
        return
            Balances({
                caller: _balanceOf(currency, payment.caller),
                payee: _balanceOf(currency, currency == address(0) ? NATIVE_PAYEE : SOLVER),
                receiver: _balanceOf(currency, address(payment.receiver))
            });
    }
}
