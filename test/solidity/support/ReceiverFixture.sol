// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IPinnedReceiver} from "../../../contracts/interfaces/receiver/IPinnedReceiver.sol";
import {IRecordReceiver} from "../../../contracts/interfaces/receiver/IRecordReceiver.sol";
import {PinnedReceiver} from "../../../contracts/receiver/PinnedReceiver.sol";
import {SignatureRecord} from "../../../contracts/records/SignatureRecord.sol";
import {SolverSignature} from "../../../contracts/records/SolverSignature.sol";
import {LocalToken} from "../../../contracts/service/currencies/LocalToken.sol";
import {RecordSigning} from "./RecordSigning.sol";

/// @title ReceiverFixture
/// @notice Two receivers of one solver, one of each binding, and payments that are valid until a test spoils them.
abstract contract ReceiverFixture is RecordSigning {
    using SignatureRecord for address;

    /// @notice What the fuzzer chooses: a payment of any kind.
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

    /// @notice What everybody who matters has.
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
        _byReceiver = new PinnedReceiver(
            SOLVER,
            NATIVE_PAYEE,
            IRecordReceiver.Binding.Receiver,
            REFUND_PAYEE
        );
        _byCaller = new PinnedReceiver(SOLVER, NATIVE_PAYEE, IRecordReceiver.Binding.Caller, REFUND_PAYEE);
        _token = new LocalToken("Token", "ONE", 6, address(this));
        _otherToken = new LocalToken("Other", "TWO", 6, address(this));
    }

    /// @dev A payment the receiver must accept: funded, approved and signed for.
    function _validPayment(Draw memory draw) internal returns (Payment memory payment) {
        payment = Payment({
            receiver: draw.bindsCaller ? _byCaller : _byReceiver,
            caller: DEPOSITOR,
            currency: draw.isNative ? address(0) : address(_token),
            amount: _bound(draw.amount, 1, MAX_AMOUNT),
            requestId: draw.requestId,
            destinationChainId: _bound(draw.destinationChainId, 1, type(uint64).max),
            destinationUser: draw.destinationUser,
            signature: ""
        });
        payment.signature =
            draw.compact
                ? _signCompact(SOLVER_KEY, _recordOf(payment))
                : _sign(SOLVER_KEY, _recordOf(payment));
        _fund(payment);
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

    /// @dev The record as it is true on chain when the payment is made.
    function _recordOf(Payment memory payment) internal view returns (SignatureRecord.Record memory) {
        address user =
            payment.receiver.binding() == IRecordReceiver.Binding.Receiver
                ? address(payment.receiver)
                : payment.caller;
        return
            SignatureRecord.Record({
                requestId: payment.requestId,
                originChainId: block.chainid,
                originUser: user.word(),
                originCurrency: payment.currency.word(),
                originAmount: payment.amount,
                destinationChainId: payment.destinationChainId,
                destinationUser: payment.destinationUser
            });
    }

    function _pay(Payment memory payment) internal {
        VM.prank(payment.caller);
        if (payment.currency == address(0)) {
            payment.receiver.deposit{value: payment.amount}(
                payment.requestId,
                payment.destinationChainId,
                payment.destinationUser,
                payment.signature
            );
        } else {
            payment.receiver.depositErc20(
                payment.currency,
                payment.amount,
                payment.requestId,
                payment.destinationChainId,
                payment.destinationUser,
                payment.signature
            );
        }
    }

    /// @dev Pays, demands exactly this error, and that neither money nor the id have moved.
    function _assertRefused(Payment memory payment, bytes memory reason) internal {
        Balances memory before = _balancesOf(payment);
        bool wasConsumed = payment.receiver.isConsumed(payment.requestId);

        VM.expectRevert(reason);
        _pay(payment);

        _assertEq(payment.receiver.isConsumed(payment.requestId), wasConsumed);
        _assertEq(abi.encode(_balancesOf(payment)), abi.encode(before));
    }

    /// @dev Refused because the record, as it is true on chain, is not what was signed.
    function _assertNotSigned(Payment memory payment) internal {
        bytes memory signature = payment.signature;
        if (signature.length == 64) signature = _lengthened(signature);
        address recovered = _recoverPlainly(_recordOf(payment), signature);
        _assertNotEq(recovered, SOLVER);
        _assertRefused(
            payment,
            recovered == address(0)
                ? abi.encodePacked(SolverSignature.SignatureRecoversNobody.selector)
                : abi.encodeWithSelector(IPinnedReceiver.RecordNotSignedBySolver.selector, recovered, SOLVER)
        );
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

    function _balanceOf(address currency, address account) internal view returns (uint256) {
        return currency == address(0) ? account.balance : LocalToken(currency).balanceOf(account);
    }

    function _lengthened(bytes memory compact) private pure returns (bytes memory) {
        (bytes32 r, bytes32 yParityAndS, ) = _split(compact);
        uint8 v = uint8(27 + (uint256(yParityAndS) >> 255));
        return abi.encodePacked(r, bytes32((uint256(yParityAndS) << 1) >> 1), v);
    }
}
