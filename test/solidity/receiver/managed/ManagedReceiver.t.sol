// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ICurrencyLimits} from "../../../../contracts/interfaces/receiver/policies/ICurrencyLimits.sol";
import {IExpiryCoSignature} from "../../../../contracts/interfaces/receiver/policies/IExpiryCoSignature.sol";
import {IManagedReceiver} from "../../../../contracts/interfaces/receiver/IManagedReceiver.sol";
import {IRecordReceiver} from "../../../../contracts/interfaces/receiver/IRecordReceiver.sol";
import {IRefundLedger} from "../../../../contracts/interfaces/receiver/policies/IRefundLedger.sol";
import {ISolverSet} from "../../../../contracts/interfaces/receiver/policies/ISolverSet.sol";
import {OperatorFeeToken} from "../../../../contracts/mocks/OperatorFeeToken.sol";
import {ManagedReceiver} from "../../../../contracts/receiver/ManagedReceiver.sol";
import {SolverSignature} from "../../../../contracts/records/SolverSignature.sol";
import {ManagedFixture} from "./ManagedFixture.sol";

/// @title ManagedReceiverTest
/// @notice Payments as signed are accepted once. `ManagedReceiverLensTest` makes each single mistake; here are the limits,
/// the versions, absent parties and fees.
contract ManagedReceiverTest is ManagedFixture {
    uint256 private constant CREDIT = 100;

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
        _assertEq(deposit.receiver.isConsumed(draw.requestId), false);

        _assertAccepted(deposit);

        uint256 native = draw.isNative ? deposit.amount : 0;
        uint256 tokens = draw.isNative ? 0 : deposit.amount;
        _assertEq(PAYEE.balance, native);
        _assertEq(nativeBefore - DEPOSITOR.balance, native);
        _assertEq(_token.balanceOf(SOLVER), tokens);
        _assertEq(tokensBefore - _token.balanceOf(DEPOSITOR), tokens);
        _assertEq(address(deposit.receiver).balance, 0);
        _assertEq(_token.balanceOf(address(deposit.receiver)), 0);
        _assertEq(deposit.receiver.isConsumed(draw.requestId), true);
        _assertEq(deposit.receiver.depositorOf(draw.requestId), DEPOSITOR);
    }

    function testFuzz_RevertGiven_RequestWasPaidInAnyForm(Draw memory draw) public {
        _assertAccepted(_validDeposit(draw));
        bytes4 selector = IRecordReceiver.RequestAlreadyConsumed.selector;
        for (uint256 form; form < 4; ++form) {
            (draw.isNative, draw.isV2) = (form % 2 == 0, form < 2);
            _assertRefused(_validDeposit(draw), abi.encodeWithSelector(selector, draw.requestId));
        }
    }

    function testFuzz_RecordBoundToTheReceiverIsAcceptedFromAnyCaller(Draw memory draw) public {
        draw.bindsCaller = false;
        Deposit memory deposit = _validDeposit(draw);
        deposit.caller = STRANGER;
        _fund(deposit);
        _assertAccepted(deposit);
        _assertEq(deposit.receiver.depositorOf(draw.requestId), STRANGER);
    }

    function testFuzz_RevertWhen_AnotherCallerSpendsARecordBoundToItsCaller(Draw memory draw) public {
        draw.bindsCaller = true;
        Deposit memory deposit = _validDeposit(draw);
        deposit.caller = STRANGER;
        _fund(deposit);
        bytes4 selector = IManagedReceiver.OriginUserMismatch.selector;
        _assertRefused(deposit, abi.encodeWithSelector(selector, _word(DEPOSITOR), _word(STRANGER)));
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

    function testFuzz_LimitsAreInclusiveToTheUnit(Draw memory draw, uint256 place) public {
        Deposit memory deposit = _validDeposit(draw);
        uint256[7] memory amounts = [
            MINIMUM,
            MINIMUM + 1,
            MAXIMUM - 1,
            MAXIMUM,
            MINIMUM - 1,
            uint256(MAXIMUM) + 1,
            0
        ];
        place = place % 7;
        _resign(deposit, amounts[place]);
        if (place < 4) _assertAccepted(deposit);
        else if (place == 6) _assertRefused(deposit, abi.encodePacked(IRecordReceiver.AmountIsZero.selector));
        else {
            bytes4 selector =
                place == 4
                    ? ICurrencyLimits.AmountBelowMinimum.selector
                    : ICurrencyLimits.AmountAboveMaximum.selector;
            uint256 limit = place == 4 ? MINIMUM : MAXIMUM;
            _assertRefused(
                deposit,
                abi.encodeWithSelector(selector, deposit.currency, deposit.amount, limit)
            );
        }
    }

    function testFuzz_RevertWhen_AmountOfVersion2IsNotTheCoSignedOne(Draw memory draw, uint256 sent) public {
        draw.isV2 = true;
        Deposit memory deposit = _validDeposit(draw);
        sent = _bound(sent, MINIMUM, MAXIMUM);
        VM.assume(sent != deposit.amount);
        deposit.amount = sent;
        (bool success, bytes memory reason) = _attempt(deposit);
        _assertEq(success, false);
        _assertSelector(reason, IExpiryCoSignature.NotCoSigned.selector);
    }

    function testFuzz_WithoutACoSignerVersion1PassesAndVersion2Reverts(Draw memory draw) public {
        Deposit memory deposit = _validDeposit(draw);
        deposit.receiver.setCoSigner(address(0));
        delete deposit.coSignature;
        if (draw.isV2) {
            deposit.coSignature.deadline = block.timestamp;
            _assertRefused(deposit, abi.encodeWithSelector(IExpiryCoSignature.CoSignerNotSet.selector));
        } else {
            _assertAccepted(deposit);
        }
    }

    function testFuzz_RevertGiven_SolverIsRetired(Draw memory draw) public {
        Deposit memory deposit = _validDeposit(draw);
        deposit.receiver.retireSolver(SOLVER, uint40(block.timestamp));
        bytes4 selector = ISolverSet.SolverNotActive.selector;
        _assertRefused(
            deposit,
            abi.encodeWithSelector(selector, SOLVER, NOW, block.timestamp, block.timestamp)
        );
    }

    function testFuzz_RevertWhen_SignatureIsCut(Draw memory draw, uint256 length) public {
        Deposit memory deposit = _validDeposit(draw);
        length = _bound(length, 0, 63);
        bytes memory signature = deposit.signature;
        assembly ("memory-safe") {
            mstore(signature, length)
        }
        bytes4 selector = SolverSignature.SignatureLengthInvalid.selector;
        _assertRefused(deposit, abi.encodeWithSelector(selector, length));
    }

    function testFuzz_RevertWhen_DestinationIsNotTheSignedOne(Draw memory draw, bool isChain) public {
        Deposit memory deposit = _validDeposit(draw);
        if (isChain) deposit.record.destinationChainId ^= 1;
        else deposit.record.destinationUser ^= bytes32(uint256(1) << 200);
        deposit.receiver.setRecipientListOpen(true);
        (bool success, bytes memory reason) = _attempt(deposit);
        _assertEq(success, false);
        bytes4 selector = bytes4(reason);
        _assertEq(
            selector == ISolverSet.SignerNotSolver.selector ||
                selector == SolverSignature.SignatureRecoversNobody.selector ||
                selector == IRecordReceiver.RecordOfOtherVersion.selector,
            true
        );
    }

    function test_HighestChainIdIsOfVersion1AndTheNextWordOfVersion2() public {
        uint256 highest = type(uint64).max;
        Draw memory draw;
        draw.destinationUser = bytes32(highest + 1);
        draw.destinationChainId = highest;
        for (uint256 version = 1; version <= 2; ++version) {
            draw.isV2 = version == 2;
            draw.requestId = bytes32(version);
            Deposit memory deposit = _validDeposit(draw);
            _assertAccepted(deposit);
            _assertOtherVersion(deposit, draw.isV2 ? highest : highest + 1);
        }
    }

    function testFuzz_RevertWhen_SixthWordIsOfTheOtherVersion(Draw memory draw, uint256 word) public {
        (uint256 lowest, uint256 highest) = (uint256(type(uint64).max) + 1, type(uint256).max);
        _assertOtherVersion(
            _validDeposit(draw),
            draw.isV2 ? _bound(word, 0, lowest - 1) : _bound(word, lowest, highest)
        );
    }

    /// @dev Both versions are seven words, so a signature over one is a signature over the other with its words moved.
    /// Co-signature and list allow the moved deposit: only the check of the version refuses it.
    function testFuzz_RevertWhen_SignatureOverOneVersionIsSpentAsTheOther(
        Draw memory draw,
        uint256 amount
    ) public {
        _byReceiver.setRecipientListOpen(true);
        _byCaller.setRecipientListOpen(true);
        draw.destinationChainId = _bound(draw.destinationChainId, MINIMUM, type(uint64).max);
        Deposit memory honest = _validDeposit(draw);
        Deposit memory moved = _validDeposit(draw);
        moved.isV2 = !draw.isV2;
        if (draw.isV2) {
            moved.amount = honest.record.destinationChainId;
            moved.record.originAmount = moved.amount;
            moved.record.destinationChainId = uint256(honest.record.destinationUser);
            moved.record.destinationUser = honest.destinationCurrency;
        } else {
            moved.amount = _bound(amount, MINIMUM, MAXIMUM);
            moved.record.destinationChainId = honest.record.originAmount;
            moved.record.destinationUser = bytes32(honest.record.destinationChainId);
            moved.destinationCurrency = honest.record.destinationUser;
        }
        _coSign(CO_SIGNER_KEY, moved);
        _assertEq(_digestOf(moved), _digestOf(honest));

        _assertOtherVersion(
            moved,
            draw.isV2 ? uint256(honest.record.destinationUser) : honest.record.destinationChainId
        );
        _assertAccepted(honest);
    }

    function testFuzz_RevertGiven_ReceiverHasNoCurrenciesUntilTheyAreSet(Draw memory draw) public {
        IManagedReceiver.Configuration memory configuration = _configuration(IRecordReceiver.Binding.Caller);
        configuration.limits = new ICurrencyLimits.CurrencyLimit[](0);
        Deposit memory deposit = _depositAt(configuration, draw);
        bytes4 selector = ICurrencyLimits.CurrencyNotAccepted.selector;
        _assertRefused(deposit, abi.encodeWithSelector(selector, deposit.currency));

        deposit.receiver.setCurrencyLimits(ICurrencyLimits.CurrencyLimit(deposit.currency, MINIMUM, MAXIMUM));
        _assertAccepted(deposit);
    }

    function testFuzz_RevertGiven_ReceiverHasNoSolversUntilOneIsAdded(Draw memory draw) public {
        IManagedReceiver.Configuration memory configuration = _configuration(IRecordReceiver.Binding.Caller);
        configuration.solvers = new ISolverSet.InitialSolver[](0);
        Deposit memory deposit = _depositAt(configuration, draw);
        _assertRefused(deposit, abi.encodeWithSelector(ISolverSet.SignerNotSolver.selector, SOLVER));

        deposit.receiver.addSolver(SOLVER, PAYEE, uint40(NOW + ACTIVATION_DELAY), false);
        VM.warp(NOW + ACTIVATION_DELAY);
        deposit.coSignature.deadline = block.timestamp;
        _coSign(CO_SIGNER_KEY, deposit);
        _assertAccepted(deposit);
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
        _byReceiver.withdrawRefund("victim", address(_feeToken), DEPOSITOR);
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

    function _assertOtherVersion(Deposit memory deposit, uint256 word) private {
        if (deposit.isV2) deposit.record.destinationUser = bytes32(word);
        else deposit.record.destinationChainId = word;
        bytes4 selector = IRecordReceiver.RecordOfOtherVersion.selector;
        _assertRefused(deposit, abi.encodeWithSelector(selector, word, type(uint64).max));
    }

    /// @dev Bound to its caller, so that the record is valid at every receiver.
    function _depositAt(
        IManagedReceiver.Configuration memory configuration,
        Draw memory draw
    ) private returns (Deposit memory deposit) {
        draw.bindsCaller = true;
        deposit = _validDeposit(draw);
        deposit.receiver = new ManagedReceiver(configuration);
        _coSign(CO_SIGNER_KEY, deposit);
        _list(deposit, true);
        _fund(deposit);
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
