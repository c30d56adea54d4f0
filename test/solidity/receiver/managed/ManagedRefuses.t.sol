// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ICurrencyLimits} from "../../../../contracts/interfaces/receiver/policies/ICurrencyLimits.sol";
import {IExpiryCoSignature} from "../../../../contracts/interfaces/receiver/policies/IExpiryCoSignature.sol";
import {IManagedReceiver} from "../../../../contracts/interfaces/receiver/IManagedReceiver.sol";
import {IPausePolicy} from "../../../../contracts/interfaces/receiver/policies/IPausePolicy.sol";
import {IRecipientAllowList} from "../../../../contracts/interfaces/receiver/policies/IRecipientAllowList.sol";
import {IRecordReceiver} from "../../../../contracts/interfaces/receiver/IRecordReceiver.sol";
import {ISolverSet} from "../../../../contracts/interfaces/receiver/policies/ISolverSet.sol";
import {SolverSignature} from "../../../../contracts/records/SolverSignature.sol";
import {ManagedFixture} from "./ManagedFixture.sol";

/// @title ManagedRefusesTest
/// @notice Each thing that can be wrong, in the order of the checks: its own name, the offending value and the limit.
contract ManagedRefusesTest is ManagedFixture {
    function setUp() public {
        _deployManaged();
    }

    function testFuzz_RevertGiven_DepositsArePaused(Draw memory draw) public {
        Deposit memory deposit = _validDeposit(draw);
        deposit.receiver.setPaused(true);
        _assertRefused(deposit, abi.encodeWithSelector(IPausePolicy.DepositsPaused.selector));
        deposit.receiver.setPaused(false);
        _assertAccepted(deposit);
    }

    function testFuzz_RevertWhen_ARecordOfVersion1HasAnAccountForAChain(
        Draw memory draw,
        uint256 word
    ) public {
        draw.isV2 = false;
        Deposit memory deposit = _validDeposit(draw);
        word = _bound(word, uint256(type(uint64).max) + 1, type(uint256).max);
        deposit.record.destinationChainId = word;
        _assertRefused(
            deposit,
            abi.encodeWithSelector(IRecordReceiver.RecordOfOtherVersion.selector, word, type(uint64).max)
        );
    }

    function testFuzz_RevertWhen_ARecordOfVersion2HasAChainForAnAccount(
        Draw memory draw,
        uint64 word
    ) public {
        draw.isV2 = true;
        Deposit memory deposit = _validDeposit(draw);
        deposit.record.destinationUser = bytes32(uint256(word));
        _assertRefused(
            deposit,
            abi.encodeWithSelector(IRecordReceiver.RecordOfOtherVersion.selector, word, type(uint64).max)
        );
    }

    function testFuzz_RevertWhen_TheRecordIsForAnotherChain(Draw memory draw, uint256 chainId) public {
        VM.assume(chainId != block.chainid);
        Deposit memory deposit = _validDeposit(draw);
        deposit.record.originChainId = chainId;
        _signSolver(SOLVER_KEY, deposit);
        _assertRefused(
            deposit,
            abi.encodeWithSelector(IManagedReceiver.RecordForOtherChain.selector, chainId, block.chainid)
        );
    }

    function testFuzz_RevertWhen_TheRecordIsAnotherUsers(Draw memory draw, bytes32 user) public {
        Deposit memory deposit = _validDeposit(draw);
        bytes32 expected = deposit.record.originUser;
        VM.assume(user != expected);
        deposit.record.originUser = user;
        _signSolver(SOLVER_KEY, deposit);
        _assertRefused(
            deposit,
            abi.encodeWithSelector(IManagedReceiver.OriginUserMismatch.selector, user, expected)
        );
    }

    function testFuzz_RevertWhen_SomebodyElseSpendsTheRecordOfAUser(Draw memory draw) public {
        draw.bindsCaller = true;
        Deposit memory deposit = _validDeposit(draw);
        deposit.caller = STRANGER;
        _fund(deposit);
        _assertRefused(
            deposit,
            abi.encodeWithSelector(
                IManagedReceiver.OriginUserMismatch.selector,
                _word(DEPOSITOR),
                _word(STRANGER)
            )
        );
    }

    function testFuzz_RevertWhen_TheRecordIsForAnotherCurrency(Draw memory draw, bytes32 currency) public {
        Deposit memory deposit = _validDeposit(draw);
        VM.assume(currency != _word(deposit.currency));
        deposit.record.originCurrency = currency;
        _signSolver(SOLVER_KEY, deposit);
        _assertRefused(
            deposit,
            abi.encodeWithSelector(
                IManagedReceiver.CurrencyMismatch.selector,
                currency,
                _word(deposit.currency)
            )
        );
    }

    function testFuzz_RevertWhen_AnotherAmountIsSentThanVersion1Signs(Draw memory draw, uint256 sent) public {
        draw.isV2 = false;
        Deposit memory deposit = _validDeposit(draw);
        uint256 expected = deposit.amount;
        sent = _bound(sent, 0, uint256(MAXIMUM) + 1);
        VM.assume(sent != expected);
        deposit.amount = sent;
        _assertRefused(
            deposit,
            abi.encodeWithSelector(IManagedReceiver.AmountMismatch.selector, expected, sent)
        );
    }

    function testFuzz_RevertWhen_AnotherAmountIsSentThanIsCoSignedForVersion2(
        Draw memory draw,
        uint256 sent
    ) public {
        draw.isV2 = true;
        Deposit memory deposit = _validDeposit(draw);
        sent = _bound(sent, MINIMUM, MAXIMUM);
        VM.assume(sent != deposit.amount);
        deposit.amount = sent;
        (bool success, bytes memory reason) = _attempt(deposit);
        _assertEq(success, false);
        _assertEq(bytes32(bytes4(reason)), bytes32(IExpiryCoSignature.NotCoSigned.selector));
    }

    function testFuzz_RevertWhen_NothingIsSent(Draw memory draw) public {
        Deposit memory deposit = _validDeposit(draw);
        deposit.amount = 0;
        deposit.record.originAmount = 0;
        _signSolver(SOLVER_KEY, deposit);
        _coSign(CO_SIGNER_KEY, deposit);
        _assertRefused(deposit, abi.encodeWithSelector(IRecordReceiver.AmountIsZero.selector));
    }

    function testFuzz_RevertWhen_TheAmountIsBelowTheMinimum(Draw memory draw, uint256 amount) public {
        Deposit memory deposit = _validDeposit(draw);
        _resign(deposit, _bound(amount, 1, MINIMUM - 1));
        _assertRefused(
            deposit,
            abi.encodeWithSelector(
                ICurrencyLimits.AmountBelowMinimum.selector,
                deposit.currency,
                deposit.amount,
                MINIMUM
            )
        );
    }

    function testFuzz_RevertWhen_TheAmountIsAboveTheMaximum(Draw memory draw, uint256 amount) public {
        Deposit memory deposit = _validDeposit(draw);
        _resign(deposit, _bound(amount, uint256(MAXIMUM) + 1, 2 * uint256(MAXIMUM)));
        _assertRefused(
            deposit,
            abi.encodeWithSelector(
                ICurrencyLimits.AmountAboveMaximum.selector,
                deposit.currency,
                deposit.amount,
                MAXIMUM
            )
        );
    }

    function testFuzz_RevertGiven_TheCurrencyIsNotAccepted(Draw memory draw) public {
        Deposit memory deposit = _validDeposit(draw);
        deposit.receiver.setCurrencyLimits(ICurrencyLimits.CurrencyLimit(deposit.currency, 0, 0));
        _assertRefused(
            deposit,
            abi.encodeWithSelector(ICurrencyLimits.CurrencyNotAccepted.selector, deposit.currency)
        );
    }

    function testFuzz_RevertGiven_TheRecipientIsNotListed(Draw memory draw) public {
        Deposit memory deposit = _validDeposit(draw);
        _list(deposit, false);
        _assertRefused(
            deposit,
            abi.encodeWithSelector(
                IRecipientAllowList.RecipientNotAllowed.selector,
                deposit.record.destinationChainId,
                deposit.record.destinationUser
            )
        );
        deposit.receiver.setRecipientListOpen(true);
        _assertAccepted(deposit);
    }

    function testFuzz_RevertGiven_TheDeadlineHasPassed(Draw memory draw, uint256 late) public {
        Deposit memory deposit = _validDeposit(draw);
        uint256 deadline = deposit.coSignature.deadline;
        late = deadline + _bound(late, 1, 365 days);
        CLOCK.warp(late);
        _assertRefused(
            deposit,
            abi.encodeWithSelector(IExpiryCoSignature.DepositExpired.selector, deadline, late)
        );
        CLOCK.warp(deadline);
        _assertAccepted(deposit);
    }

    function testFuzz_RevertWhen_SomebodyElseCoSigned(Draw memory draw) public {
        Deposit memory deposit = _validDeposit(draw);
        _coSign(STRANGER_KEY, deposit);
        _assertRefused(
            deposit,
            abi.encodeWithSelector(IExpiryCoSignature.NotCoSigned.selector, VM.addr(STRANGER_KEY), CO_SIGNER)
        );
    }

    function testFuzz_RevertGiven_Version2HasNoCoSigner(Draw memory draw) public {
        draw.isV2 = true;
        Deposit memory deposit = _validDeposit(draw);
        deposit.receiver.setCoSigner(address(0));
        _assertRefused(deposit, abi.encodeWithSelector(IExpiryCoSignature.CoSignerNotSet.selector));
    }

    function testFuzz_WithoutACoSignerVersion1NeedsNoCoSignature(Draw memory draw) public {
        draw.isV2 = false;
        Deposit memory deposit = _validDeposit(draw);
        deposit.receiver.setCoSigner(address(0));
        delete deposit.coSignature;
        _assertAccepted(deposit);
    }

    function testFuzz_RevertWhen_SomebodyElseSigned(Draw memory draw) public {
        Deposit memory deposit = _validDeposit(draw);
        _signSolver(STRANGER_KEY, deposit);
        _assertRefused(
            deposit,
            abi.encodeWithSelector(ISolverSet.SignerNotSolver.selector, VM.addr(STRANGER_KEY))
        );
    }

    function testFuzz_RevertGiven_TheSolverIsRetired(Draw memory draw) public {
        Deposit memory deposit = _validDeposit(draw);
        deposit.receiver.retireSolver(SOLVER, uint40(block.timestamp));
        _assertRefused(
            deposit,
            abi.encodeWithSelector(
                ISolverSet.SolverNotActive.selector,
                SOLVER,
                NOW,
                block.timestamp,
                block.timestamp
            )
        );
    }

    function testFuzz_RevertWhen_TheSignatureIsCut(Draw memory draw, uint256 length) public {
        Deposit memory deposit = _validDeposit(draw);
        length = _bound(length, 0, 63);
        bytes memory signature = deposit.signature;
        assembly ("memory-safe") {
            mstore(signature, length)
        }
        _assertRefused(
            deposit,
            abi.encodeWithSelector(SolverSignature.SignatureLengthInvalid.selector, length)
        );
    }

    /// @notice The mistake of signing what is paid before a change and moving what is there after it.
    function testFuzz_RevertWhen_TheDestinationWasChangedBehindTheSolversBack(
        Draw memory draw,
        bool isChain
    ) public {
        Deposit memory deposit = _validDeposit(draw);
        if (isChain) deposit.record.destinationChainId ^= 1;
        else deposit.record.destinationUser ^= bytes32(uint256(1) << 200);
        deposit.receiver.setRecipientListOpen(true);
        (bool success, bytes memory reason) = _attempt(deposit);
        _assertEq(success, false);
        bytes32 selector = bytes32(bytes4(reason));
        _assertEq(
            selector == bytes32(ISolverSet.SignerNotSolver.selector) ||
                selector == bytes32(SolverSignature.SignatureRecoversNobody.selector) ||
                selector == bytes32(IRecordReceiver.RecordOfOtherVersion.selector),
            true
        );
    }

    function _resign(Deposit memory deposit, uint256 amount) private view {
        deposit.amount = amount;
        deposit.record.originAmount = amount;
        _signSolver(SOLVER_KEY, deposit);
        _coSign(CO_SIGNER_KEY, deposit);
    }
}
