// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IOrderReceiver} from "../../../contracts/interfaces/receiver/IOrderReceiver.sol";
import {IRecordReceiver} from "../../../contracts/interfaces/receiver/IRecordReceiver.sol";
import {IRefundReceiver} from "../../../contracts/interfaces/receiver/IRefundReceiver.sol";
import {ISignedPulls} from "../../../contracts/interfaces/receiver/ISignedPulls.sol";
import {TokenReads} from "../../../contracts/libraries/TokenReads.sol";
import {TransferWithId} from "../../../contracts/libraries/TransferWithId.sol";
import {AuthorizingToken} from "../../../contracts/mocks/AuthorizingToken.sol";
import {BlocklistToken} from "../../../contracts/mocks/BlocklistToken.sol";
import {ElasticToken} from "../../../contracts/mocks/ElasticToken.sol";
import {FeeOnTransferToken} from "../../../contracts/mocks/FeeOnTransferToken.sol";
import {LongReturnToken} from "../../../contracts/mocks/LongReturnToken.sol";
import {NoReturnToken} from "../../../contracts/mocks/NoReturnToken.sol";
import {PlainToken} from "../../../contracts/mocks/PlainToken.sol";
import {ReentrantToken} from "../../../contracts/mocks/ReentrantToken.sol";
import {RejectingRecipient} from "../../../contracts/mocks/RejectingRecipient.sol";
import {ReturndataBomb} from "../../../contracts/mocks/ReturndataBomb.sol";
import {ReturnsFalseToken} from "../../../contracts/mocks/ReturnsFalseToken.sol";
import {RevertsOnZeroToken} from "../../../contracts/mocks/RevertsOnZeroToken.sol";
import {TransientGuard} from "../../../contracts/receiver/TransientGuard.sol";
import {LocalTether} from "../../../contracts/service/currencies/LocalTether.sol";
import {MoneyPaths} from "./MoneyPaths.sol";

/// @title HostileTokensTest
/// @notice Each path of money against each kind of token. Every test states the outcome on every path, one letter each, in
/// the order of `Path`: five ways to pay for a record, five for an order; refund and sweep of a forwarder; refund,
/// withdrawal, rescue and attribution of a ledger.
///
///     .  moves the amount and nothing else     w  the recipient bears the token's fee
///     c  credits what arrived                  T  TokenTransferFailed
///     A  ArrivedAmountMismatch                 P  Permit2TransferRefused
///     D  DepositoryRejected                    V  ApproveFailed
///     X  ExceedsUncredited                     N  TokenHasNoCode
///     R  TokenReadFailed
contract HostileTokensTest is MoneyPaths {
    uint256 private constant PATHS = 16;
    uint256 private constant AFTER_FEE = 990_000;
    uint256 private constant ROUNDED = 999_999;

    enum Kind {
        Plain,
        MissingReturn,
        Tether,
        RevertsOnZero,
        LongReturn,
        Reentrant,
        FalseTransferFrom,
        FalseTransfer,
        FalseApprove,
        Fee,
        Rounding,
        BlockedPayee,
        BombReturns,
        BombReverts,
        CodeGone,
        RejectingPayee
    }

    function setUp() public {
        _deployPaths();
    }

    function test_ATokenWithoutReturnValuesPaysExactlyOnEveryPath() public {
        _meet(Kind.MissingReturn, "................");
    }

    function test_ATokenThatChangesApprovalsOnlyFromOrToZeroPaysExactlyOnEveryPath() public {
        _meet(Kind.Tether, "................");
    }

    function test_ATokenThatRevertsOnZeroPaysExactlyOnEveryPath() public {
        _meet(Kind.RevertsOnZero, "................");
    }

    function test_ATokenThatReturnsMoreThanAWordPaysExactlyOnEveryPath() public {
        _meet(Kind.LongReturn, "................");
    }

    function test_ATokenThatCallsBackPaysOnceAndItsCallIsRefusedOnEveryPath() public {
        _meet(Kind.Reentrant, "................");
    }

    function test_ATokenPaysExactlyAndItsPayeeIsNotCalledOnEveryPath() public {
        _meet(Kind.RejectingPayee, "................");
    }

    function test_RevertWhen_TransferFromReturnsFalseOnEveryPathThatPulls() public {
        _meet(Kind.FalseTransferFrom, "TTPATTTPATT.T...");
    }

    function test_RevertWhen_TransferReturnsFalseOnEveryPathThatSends() public {
        _meet(Kind.FalseTransfer, "..TT.......T.TT.");
    }

    function test_RevertWhen_ApproveReturnsFalseOnEveryPathToADepository() public {
        _meet(Kind.FalseApprove, ".....VVVVV......");
    }

    function test_RevertWhen_ATokenTakesAFeeOnEveryPathThatPaysASignedAmount() public {
        _meet(Kind.Fee, "AAAAAAAAAAAwcww.");
    }

    function test_RevertWhen_ATokenLosesAUnitOnEveryPathThatPaysASignedAmount() public {
        _meet(Kind.Rounding, "AAAAAAAAAAA.c...");
    }

    function test_RevertWhen_ATokenBlockedThePayeeOnEveryPathThatMovesIt() public {
        _meet(Kind.BlockedPayee, "TTTTTDDDDDTTTTT.");
    }

    function test_RevertWhen_ATokenReturnsAHugeBufferOnEveryPath() public {
        _meet(Kind.BombReturns, "TTPATTTPATTXTTXX");
    }

    function test_RevertWhen_ATokenRevertsWithAHugeBufferOnEveryPath() public {
        _meet(Kind.BombReverts, "RRRRRRRRRRRRRRRR");
    }

    function test_RevertWhen_ATokensCodeIsGoneOnEveryPath() public {
        _meet(Kind.CodeGone, "NNNNNNNNNNNNNNNN");
    }

    function _meet(Kind kind, bytes memory outcomes) private {
        _assertEq(outcomes.length, PATHS);
        for (uint256 i; i < PATHS; ++i) _meetPath(kind, Path(i), outcomes[i]);
    }

    function _meetPath(Kind kind, Path path, bytes1 outcome) private {
        address token = _deploy(kind, path == Path.RecordAuthorization || path == Path.OrderAuthorization);
        _fund(token, path);
        Move memory move = _move(path, token);
        uint256[3] memory before = _balances(token, move);
        uint256 noted = _noted(path, move, token);
        _arm(kind, path, token, move);

        (bool success, bytes memory reason) = _send(move);

        if (outcome == "." || outcome == "w" || outcome == "c") {
            _assertEq(reason, "");
            _assertEq(success, true);
            _assertMoved(kind, path, token, move, before, outcome);
            if (kind == Kind.Reentrant) _assertCalledBack(path, ReentrantToken(token));
            return;
        }
        _assertEq(success, false);
        _assertReason(kind, token, outcome, reason);
        if (kind == Kind.CodeGone || kind == Kind.BombReturns || kind == Kind.BombReverts) return;
        _assertEq(abi.encode(_balances(token, move)), abi.encode(before));
        _assertEq(_noted(path, move, token), noted);
    }

    function _assertMoved(
        Kind kind,
        Path path,
        address token,
        Move memory move,
        uint256[3] memory before,
        bytes1 outcome
    ) private view {
        uint256[3] memory afterwards = _balances(token, move);
        uint256 sent = path == Path.Attribute ? 0 : move.amount;
        uint256 arrives =
            outcome == "."
                ? sent
                : kind == Kind.Fee
                    ? AFTER_FEE
                    : ROUNDED;
        // A rounding token takes from its sender what it gives.
        _assertEq(before[0] - afterwards[0], kind == Kind.Rounding ? arrives : sent);
        _assertEq(afterwards[2] - before[2], arrives);
        if (move.target != move.from && move.target != move.payee) _assertEq(afterwards[1], before[1]);
        uint256 noted = path < Path.ForwardRefund ? uint160(OWNER) : 0;
        if (path == Path.CreditedRefund || path == Path.Attribute) {
            noted = path == Path.Attribute ? move.amount : arrives;
        }
        _assertEq(_noted(path, move, token), noted);
    }

    function _assertReason(Kind kind, address token, bytes1 outcome, bytes memory reason) private pure {
        bytes4 selector = TransferWithId.TokenTransferFailed.selector;
        if (outcome == "P") selector = ISignedPulls.Permit2TransferRefused.selector;
        if (outcome == "D") selector = IOrderReceiver.DepositoryRejected.selector;
        if (outcome == "V") selector = bytes4(keccak256("ApproveFailed()"));
        if (outcome == "X") selector = IRefundReceiver.ExceedsUncredited.selector;
        if (outcome == "A") {
            uint256 arrived =
                kind == Kind.Fee
                    ? AFTER_FEE
                    : kind == Kind.Rounding
                        ? ROUNDED
                        : 0;
            selector = IRecordReceiver.ArrivedAmountMismatch.selector;
            _assertEq(reason, abi.encodeWithSelector(selector, token, AMOUNT, arrived));
        } else if (outcome == "N" || outcome == "R") {
            selector =
                outcome == "N" ? TokenReads.TokenHasNoCode.selector : TokenReads.TokenReadFailed.selector;
            _assertEq(reason, abi.encodeWithSelector(selector, token));
        } else {
            _assertSelector(reason, selector);
        }
        // The selector, the token, and the cut data with its offset and length.
        if (kind == Kind.BombReturns && outcome == "T") _assertEq(reason.length, 4 + 3 * 32 + 1024);
    }

    /// @dev The owner check of a rescue precedes the guard; an attribution only reads.
    function _assertCalledBack(Path path, ReentrantToken token) private view {
        _assertEq(token.fired(), path == Path.Attribute ? 0 : 1);
        bytes4 selector = TransientGuard.Reentrancy.selector;
        if (path == Path.Rescue) selector = bytes4(keccak256("Unauthorized()"));
        if (path != Path.Attribute) _assertEq(token.lastReturnData(), abi.encodePacked(selector));
    }

    function _deploy(Kind kind, bool isAuthorizing) private returns (address token) {
        if (kind == Kind.MissingReturn) token = address(new NoReturnToken());
        else if (kind == Kind.Tether) token = address(new LocalTether(address(this)));
        else if (kind == Kind.RevertsOnZero) token = address(new RevertsOnZeroToken());
        else if (kind == Kind.LongReturn) token = address(new LongReturnToken(32));
        else if (kind == Kind.Reentrant) token = address(new ReentrantToken());
        else if (kind == Kind.Fee) token = address(new FeeOnTransferToken(100));
        else if (kind == Kind.Rounding) token = address(new ElasticToken());
        else if (kind == Kind.BlockedPayee) token = address(new BlocklistToken());
        else if (kind >= Kind.FalseTransferFrom && kind <= Kind.FalseApprove) {
            token = address(new ReturnsFalseToken());
        } else token = address(new PlainToken());
        _authorizationDomain = isAuthorizing ? "Authorizing" : "Authorization";
        if (isAuthorizing) token = address(new AuthorizingToken(token));
        // Behind `AuthorizingToken`, the storage is new.
        if (kind >= Kind.FalseTransferFrom && kind <= Kind.FalseApprove) {
            ReturnsFalseToken(token).setRefusals(false, false, false);
        }
        if (kind == Kind.Rounding) ElasticToken(token).rebase(1_500_000);
    }

    function _fund(address token, Path path) private {
        address holder = OWNER;
        if (path == Path.ForwardRefund) holder = STRANGER;
        if (path == Path.Sweep) holder = address(_byReceiver);
        if (path >= Path.Withdraw) holder = address(_ledger);
        PlainToken(token).mint(holder, holder == OWNER || holder == STRANGER ? 2 * AMOUNT : AMOUNT);
        // Stray money of the receivers, which no payment may use.
        if (path < Path.OrderPlain) PlainToken(token).mint(address(_byReceiver), AMOUNT);
        else if (path < Path.ForwardRefund) PlainToken(token).mint(address(_orders), AMOUNT);
        address[4] memory spenders = [address(_byReceiver), address(_orders), address(_ledger), PERMIT2];
        for (uint256 i; i < spenders.length; ++i) {
            // The ways of records set their own allowance.
            if (i == 0 && path < Path.OrderPlain && path != Path.RecordAuthorization) continue;
            _approve(token, spenders[i], type(uint256).max);
        }
        VM.prank(STRANGER);
        (bool success, ) = token.call(
            abi.encodeWithSignature("approve(address,uint256)", _byReceiver, type(uint256).max)
        );
        _assertEq(success, true);
    }

    function _arm(Kind kind, Path path, address token, Move memory move) private {
        if (kind == Kind.Reentrant) ReentrantToken(token).arm(move.target, move.data);
        if (kind == Kind.FalseTransferFrom) ReturnsFalseToken(token).setRefusals(false, true, false);
        if (kind == Kind.FalseTransfer) ReturnsFalseToken(token).setRefusals(true, false, false);
        if (kind == Kind.FalseApprove) ReturnsFalseToken(token).setRefusals(false, false, true);
        if (kind == Kind.BlockedPayee) {
            BlocklistToken(token).setBlocked(path == Path.Attribute ? RECIPIENT : move.payee, true);
        }
        if (kind == Kind.CodeGone) VM.etch(token, "");
        if (kind == Kind.BombReturns || kind == Kind.BombReverts) {
            VM.etch(token, type(ReturndataBomb).runtimeCode);
            ReturndataBomb(payable(token)).configure(2_000, kind == Kind.BombReverts);
        }
        bool hasPayee = move.payee != move.target && move.payee != address(_depository);
        if (kind == Kind.RejectingPayee && hasPayee)
            VM.etch(move.payee, type(RejectingRecipient).runtimeCode);
    }

    /// @dev Of the payer, the called contract and the payee.
    function _balances(address token, Move memory move) private view returns (uint256[3] memory) {
        return [_balanceOf(token, move.from), _balanceOf(token, move.target), _balanceOf(token, move.payee)];
    }
}
