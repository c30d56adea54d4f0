// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ICurrencyLimits} from "../../../../contracts/interfaces/receiver/policies/ICurrencyLimits.sol";
import {IDepositPolicies} from "../../../../contracts/interfaces/receiver/policies/IDepositPolicies.sol";
import {IExpiryCoSignature} from "../../../../contracts/interfaces/receiver/policies/IExpiryCoSignature.sol";
import {IRefundReceiver} from "../../../../contracts/interfaces/receiver/IRefundReceiver.sol";
import {ITwoStepOwner} from "../../../../contracts/interfaces/receiver/policies/ITwoStepOwner.sol";
import {IManagedReceiver} from "../../../../contracts/interfaces/receiver/IManagedReceiver.sol";
import {IManagedReceiverLens} from "../../../../contracts/interfaces/receiver/IManagedReceiverLens.sol";
import {IRecordReceiver} from "../../../../contracts/interfaces/receiver/IRecordReceiver.sol";
import {IRefundLedger} from "../../../../contracts/interfaces/receiver/policies/IRefundLedger.sol";
import {OperatorFeeToken} from "../../../../contracts/mocks/OperatorFeeToken.sol";
import {ManagedReceiver} from "../../../../contracts/receiver/ManagedReceiver.sol";
import {ManagedFixture} from "./ManagedFixture.sol";

/// @title ManagedReceiverTest
/// @notice Payments as signed are accepted once. `ManagedReceiverLensTest` makes each single mistake; here are the limits,
/// absent parties and fees.
contract ManagedReceiverTest is ManagedFixture {
    /// @dev The least that a fee can take.
    uint256 private constant CREDIT = 1;

    OperatorFeeToken private _feeToken;

    function setUp() public {
        _deployManaged();
        _feeToken = new OperatorFeeToken();
        _byReceiver.setCurrencyLimits(ICurrencyLimits.CurrencyLimit(address(_feeToken), MINIMUM, MAXIMUM));
    }

    function testFuzz_SignedPaymentReachesThePayeeOrTheSolver(Draw memory draw) public {
        Deposit memory deposit = _validDeposit(draw);
        uint256 tokensBefore = _token.balanceOf(DEPOSITOR);
        uint256 nativeBefore = DEPOSITOR.balance;
        _assertEq(deposit.receiver.depositorOf(draw.requestId) != address(0), false);

        _assertAccepted(deposit);

        uint256 native = draw.isNative ? deposit.amount : 0;
        uint256 tokens = draw.isNative ? 0 : deposit.amount;
        _assertEq(PAYEE.balance, native);
        _assertEq(nativeBefore - DEPOSITOR.balance, native);
        _assertEq(_token.balanceOf(SOLVER), tokens);
        _assertEq(tokensBefore - _token.balanceOf(DEPOSITOR), tokens);
        _assertEq(address(deposit.receiver).balance, 0);
        _assertEq(_token.balanceOf(address(deposit.receiver)), 0);
        _assertEq(deposit.receiver.depositorOf(draw.requestId) != address(0), true);
        _assertEq(deposit.receiver.depositorOf(draw.requestId), DEPOSITOR);
    }

    function testFuzz_RevertGiven_RequestWasPaidInAnyForm(Draw memory draw) public {
        _assertAccepted(_validDeposit(draw));
        bytes4 selector = IRecordReceiver.RequestAlreadyConsumed.selector;
        for (uint256 form; form < 2; ++form) {
            draw.isNative = form == 0;
            _assertRefused(_validDeposit(draw), abi.encodeWithSelector(selector, draw.requestId));
        }
    }

    function testFuzz_RevertWhen_AnotherCallerSpendsARecordBoundToItsCaller(Draw memory draw) public {
        draw.bindsCaller = true;
        Deposit memory deposit = _validDeposit(draw);
        deposit.caller = STRANGER;
        _fund(deposit);
        bytes4 selector = IManagedReceiverLens.OriginUserMismatch.selector;
        _assertFieldNamed(deposit, abi.encodeWithSelector(selector, _word(DEPOSITOR), _word(STRANGER)));
    }

    function testFuzz_ForcedEtherIsNotTakenForThePayment(Draw memory draw, uint256 forced) public {
        Deposit memory deposit = _validDeposit(draw);
        forced = _bound(forced, 1, MAXIMUM);
        VM.deal(address(deposit.receiver), forced);
        _assertAccepted(deposit);
        _assertEq(address(deposit.receiver).balance, forced);
        _assertEq(deposit.receiver.uncredited(address(0)), forced);
    }

    function test_BindingIsTheConfiguredOne() public view {
        _assertEq(uint256(_byReceiver.binding()), uint256(IRecordReceiver.Binding.Receiver));
        _assertEq(uint256(_byCaller.binding()), uint256(IRecordReceiver.Binding.Caller));
    }

    function testFuzz_TheRecipientListIsOpenAsConfigured(bool isOpen) public {
        IManagedReceiver.Configuration memory configuration = _configuration(IRecordReceiver.Binding.Caller);
        configuration.isRecipientListOpen = isOpen;
        _assertEq(new ManagedReceiver(configuration).isRecipientListOpen(), isOpen);
    }

    function testFuzz_RevertWhen_AmountIsZero(Draw memory draw) public {
        Deposit memory deposit = _validDeposit(draw);
        _resign(deposit, 0);
        _assertRefused(deposit, abi.encodePacked(IRecordReceiver.AmountIsZero.selector));
    }

    function testFuzz_RevertWhen_SignatureIsShorterThanTheCoSignature(
        Draw memory draw,
        uint256 length
    ) public {
        Deposit memory d = _validDeposit(draw);
        bytes memory signature = new bytes(_bound(length, 0, 95));
        bytes4 selector = IDepositPolicies.PolicyDataMissing.selector;
        VM.expectRevert(abi.encodeWithSelector(selector, signature.length, 96));
        d.receiver.deposit{value: 1}(d.record.requestId, 1, bytes32(uint256(1)), signature);
    }

    function testFuzz_RevertWhen_DestinationChainIsAbove64Bits(Draw memory draw, uint256 word) public {
        Deposit memory deposit = _validDeposit(draw);
        word = _bound(word, uint256(type(uint64).max) + 1, type(uint256).max);
        deposit.record.destinationChainId = word;
        bytes4 selector = IRecordReceiver.RecordOfOtherVersion.selector;
        _assertRefused(deposit, abi.encodeWithSelector(selector, word, type(uint64).max));
    }

    function test_RevertWhen_ADepositsFeeWouldReduceAnotherDepositorsCredit() public {
        _credit();
        _feeToken.setFee(CREDIT);
        bytes4 selector = IRefundLedger.CreditsNotCovered.selector;
        _assertReverts(
            _feeDeposit("other", STRANGER),
            abi.encodeWithSelector(selector, address(_feeToken), 0, CREDIT)
        );

        _feeToken.setFee(0);
        VM.prank(DEPOSITOR);
        _byReceiver.withdrawRefund("victim", address(_feeToken), DEPOSITOR, CREDIT);
        _assertEq(_feeToken.balanceOf(address(_byReceiver)), 0);
    }

    function test_FeeIsPaidFromUncreditedMoney() public {
        _credit();
        _feeToken.mint(address(_byReceiver), 3);
        _feeToken.setFee(3);
        _assertAccepted(_feeDeposit("other", STRANGER));
        _assertEq(_feeToken.balanceOf(address(_byReceiver)), CREDIT);
    }

    function test_FeeIsNotMeasuredWithoutCredits() public {
        _feeToken.setFee(CREDIT);
        _assertAccepted(_feeDeposit("other", STRANGER));
    }

    function testFuzz_RefundsAreCreditedAndPaidOutWhileDepositsArePaused(
        Draw memory draw,
        uint96 amount
    ) public {
        VM.assume(amount != 0);
        // The fuzzer draws selectors too: an id that begins with one calls that function, and refunds nothing.
        draw.requestId = keccak256(abi.encode(draw.requestId));
        Deposit memory deposit = _validDeposit(draw);
        _assertAccepted(deposit);
        deposit.receiver.setPaused(true);
        VM.deal(address(this), amount);
        (bool success, ) = address(deposit.receiver).call{value: amount}(abi.encode(draw.requestId));
        _assertEq(success, true);
        VM.prank(DEPOSITOR);
        deposit.receiver.withdrawRefund(draw.requestId, address(0), STRANGER, amount);
        _assertEq(STRANGER.balance, amount);
    }

    function test_NativeMoneyIsAcceptedWithTheGasOfATransfer() public {
        VM.deal(address(this), 1);
        // The stipend is added to the gas of a call with value.
        (bool success, ) = address(_byReceiver).call{gas: 0, value: 1}("");
        _assertEq(success, true);
    }

    function test_RevertWhen_TheReceiverItselfIsItsOwnerCoSignerSolverOrPayee() public {
        bytes4[4] memory errors = [
            ITwoStepOwner.OwnerCannotAct.selector,
            IExpiryCoSignature.CoSignerCannotSign.selector,
            IRefundReceiver.RecipientCannotHold.selector,
            IRefundReceiver.RecipientCannotHold.selector
        ];
        for (uint256 i; i < errors.length; ++i) {
            address next = _nextDeployment();
            IManagedReceiver.Configuration memory own = _configuration(IRecordReceiver.Binding.Receiver);
            if (i == 0) own.owner = next;
            else if (i == 1) own.coSigner = next;
            else if (i == 2) own.solvers[0].solver = next;
            else own.solvers[0].nativePayee = next;
            VM.expectRevert(abi.encodeWithSelector(errors[i], next));
            new ManagedReceiver(own);
        }
    }

    function _credit() private {
        _assertAccepted(_feeDeposit("victim", DEPOSITOR));
        _feeToken.mint(address(this), CREDIT);
        _feeToken.approve(address(_byReceiver), CREDIT);
        _byReceiver.refundErc20("victim", address(_feeToken), CREDIT);
        _assertEq(_byReceiver.creditOf("victim", address(_feeToken)), CREDIT);
    }

    function _feeDeposit(bytes32 id, address caller) private returns (Deposit memory deposit) {
        Draw memory draw;
        draw.requestId = id;
        deposit = _validDeposit(draw);
        deposit.caller = caller;
        deposit.currency = address(_feeToken);
        deposit.record.originCurrency = _word(address(_feeToken));
        _signSolver(SOLVER_KEY, deposit);
        _feeToken.mint(caller, deposit.amount);
        VM.prank(caller);
        _feeToken.approve(address(_byReceiver), deposit.amount);
    }
}
