// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ICurrencyLimits} from "../../../../contracts/interfaces/receiver/policies/ICurrencyLimits.sol";
import {IExpiryCoSignature} from "../../../../contracts/interfaces/receiver/policies/IExpiryCoSignature.sol";
import {IManagedReceiver} from "../../../../contracts/interfaces/receiver/IManagedReceiver.sol";
import {IPausePolicy} from "../../../../contracts/interfaces/receiver/policies/IPausePolicy.sol";
import {IRecipientAllowList} from "../../../../contracts/interfaces/receiver/policies/IRecipientAllowList.sol";
import {IRecordReceiver} from "../../../../contracts/interfaces/receiver/IRecordReceiver.sol";
import {ISolverSet} from "../../../../contracts/interfaces/receiver/policies/ISolverSet.sol";
import {ManagedFixture} from "./ManagedFixture.sol";

/// @title ManagedValidateTest
/// @notice The lens and a deposit agree on any payment: it gives no reason if and only if the deposit succeeds, and its first
/// reason is what a deposit reverts with.
contract ManagedValidateTest is ManagedFixture {
    /// @dev How many things `_spoil` can spoil, each by a bit.
    uint256 private constant KINDS = 11;

    function setUp() public {
        _deployManaged();
    }

    function testFuzz_AnyMixtureOfMistakesIsNamedMistakeByMistake(Draw memory draw, uint256 mistakes) public {
        Deposit memory deposit = _validDeposit(draw);
        mistakes &= (1 << KINDS) - 1;
        bytes4[] memory expected = _spoil(deposit, mistakes);

        bytes[] memory reasons = _validate(deposit);

        _assertEq(reasons.length, expected.length);
        for (uint256 i; i < reasons.length; ++i) {
            _assertEq(bytes32(bytes4(reasons[i])), bytes32(expected[i]));
        }
        _assertAgrees(deposit, reasons);
    }

    function testFuzz_AnyRecordAndSignaturesAtAllAreJudgedAsADepositWould(
        Draw memory draw,
        bytes32[7] memory words,
        bytes memory signature,
        IExpiryCoSignature.CoSignature memory coSignature
    ) public {
        Deposit memory deposit = _validDeposit(draw);
        deposit.record.requestId = words[0];
        deposit.record.originChainId = uint256(words[1]);
        deposit.record.originUser = words[2];
        deposit.record.originCurrency = words[3];
        deposit.record.originAmount = uint256(words[4]);
        deposit.record.destinationChainId = uint256(words[5]);
        deposit.record.destinationUser = words[6];
        deposit.signature = signature;
        deposit.coSignature = coSignature;
        _assertAgrees(deposit, _validate(deposit));
    }

    function testFuzz_OneFieldChangedIsJudgedAsADepositWould(
        Draw memory draw,
        uint256 field,
        uint256 flips,
        bool isResigned
    ) public {
        Deposit memory deposit = _validDeposit(draw);
        field = field % 9;
        if (field == 0) deposit.record.requestId ^= bytes32(flips);
        else if (field == 1) deposit.record.originChainId ^= flips;
        else if (field == 2) deposit.record.originUser ^= bytes32(flips);
        else if (field == 3) deposit.record.originCurrency ^= bytes32(flips);
        else if (field == 4) deposit.record.originAmount ^= flips;
        else if (field == 5) deposit.record.destinationChainId ^= flips;
        else if (field == 6) deposit.record.destinationUser ^= bytes32(flips);
        else if (field == 7) deposit.coSignature.vs ^= bytes32(flips);
        else deposit.coSignature.deadline ^= flips;
        if (isResigned) _signSolver(SOLVER_KEY, deposit);
        _assertAgrees(deposit, _validate(deposit));
    }

    function testFuzz_SaysNothingBeforeADepositAndThatItIsConsumedAfterIt(Draw memory draw) public {
        Deposit memory deposit = _validDeposit(draw);
        _assertEq(_validate(deposit).length, 0);
        _assertAccepted(deposit);
        bytes[] memory reasons = _validate(deposit);
        _assertEq(reasons.length, 1);
        _assertEq(
            reasons[0],
            abi.encodeWithSelector(IRecordReceiver.RequestAlreadyConsumed.selector, draw.requestId)
        );
    }

    function test_VersionsNameARecordOfTheOtherFirstAfterThePause() public {
        Draw memory draw;
        Deposit memory deposit = _validDeposit(draw);
        deposit.record.destinationChainId = type(uint256).max;
        bytes4 name = IRecordReceiver.RecordOfOtherVersion.selector;
        _assertEq(bytes32(bytes4(_validate(deposit)[0])), bytes32(name));
        draw.isV2 = true;
        deposit = _validDeposit(draw);
        deposit.record.destinationUser = bytes32(uint256(1));
        _assertEq(bytes32(bytes4(_validate(deposit)[0])), bytes32(name));
    }

    /// @dev Makes the mistakes whose bits are set, and says what each has to be called, in the order of the checks.
    function _spoil(Deposit memory deposit, uint256 mistakes) private returns (bytes4[] memory names) {
        names = new bytes4[](KINDS);
        uint256 count;
        // While nothing else is wrong yet.
        if (_has(mistakes, 10)) _assertAccepted(_validDeposit(_twinOf(deposit)));
        if (_has(mistakes, 0)) {
            deposit.receiver.setPaused(true);
            names[count++] = IPausePolicy.DepositsPaused.selector;
        }
        if (_has(mistakes, 1)) {
            deposit.record.originChainId += 1;
            names[count++] = IManagedReceiver.RecordForOtherChain.selector;
        }
        if (_has(mistakes, 2)) {
            deposit.record.originUser ^= bytes32(uint256(1));
            names[count++] = IManagedReceiver.OriginUserMismatch.selector;
        }
        if (_has(mistakes, 3)) {
            deposit.record.originCurrency ^= bytes32(uint256(1));
            names[count++] = IManagedReceiver.CurrencyMismatch.selector;
        }
        if (_has(mistakes, 4) && !deposit.isV2) {
            deposit.record.originAmount += 1;
            names[count++] = IManagedReceiver.AmountMismatch.selector;
        }
        count = _spoilPolicies(deposit, mistakes, names, count);
        assembly ("memory-safe") {
            mstore(names, count)
        }
    }

    function _spoilPolicies(
        Deposit memory deposit,
        uint256 mistakes,
        bytes4[] memory names,
        uint256 count
    ) private returns (uint256) {
        if (_has(mistakes, 5)) {
            deposit.receiver.setCurrencyLimits(ICurrencyLimits.CurrencyLimit(deposit.currency, 0, 0));
            names[count++] = ICurrencyLimits.CurrencyNotAccepted.selector;
        }
        if (_has(mistakes, 6)) {
            _list(deposit, false);
            names[count++] = IRecipientAllowList.RecipientNotAllowed.selector;
        }
        if (_has(mistakes, 7)) {
            CLOCK.warp(deposit.coSignature.deadline + 1);
            names[count++] = IExpiryCoSignature.DepositExpired.selector;
        }
        if (_has(mistakes, 8)) {
            _coSign(STRANGER_KEY, deposit);
            names[count++] = IExpiryCoSignature.NotCoSigned.selector;
        }
        if (_has(mistakes, 9)) {
            _signSolver(STRANGER_KEY, deposit);
            names[count++] = ISolverSet.SignerNotSolver.selector;
        } else {
            _signSolver(SOLVER_KEY, deposit);
        }
        if (_has(mistakes, 10)) {
            names[count++] = IRecordReceiver.RequestAlreadyConsumed.selector;
        }
        return count;
    }

    /// @dev A valid deposit for the same request and recipient.
    function _twinOf(Deposit memory deposit) private view returns (Draw memory) {
        return
            Draw({
                amount: deposit.amount,
                requestId: deposit.record.requestId,
                destinationChainId: deposit.record.destinationChainId,
                destinationUser: deposit.record.destinationUser,
                lifetime: 0,
                isNative: deposit.currency == address(0),
                isV2: deposit.isV2,
                bindsCaller: address(deposit.receiver) == address(_byCaller)
            });
    }

    function _has(uint256 mistakes, uint256 kind) private pure returns (bool) {
        return (mistakes >> kind) & 1 == 1;
    }
}
