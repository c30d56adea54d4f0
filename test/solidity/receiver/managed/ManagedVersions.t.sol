// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IRecordReceiver} from "../../../../contracts/interfaces/receiver/IRecordReceiver.sol";
import {ManagedFixture} from "./ManagedFixture.sol";

/// @title ManagedVersionsTest
/// @notice Both versions of the record are seven words, so a signature over the one is a signature over the other with its
/// words moved. Everything else is made right here, co-signature and open list included, so that only the check of the
/// version stands between a signature and the wrong entry point.
contract ManagedVersionsTest is ManagedFixture {
    function setUp() public {
        _deployManaged();
        _byReceiver.setRecipientListOpen(true);
        _byCaller.setRecipientListOpen(true);
    }

    function test_TheHighestChainIdIsOfVersion1AndTheNextWordOfVersion2() public {
        uint256 highest = type(uint64).max;
        Draw memory draw;
        draw.destinationUser = bytes32(highest + 1);
        for (uint256 version = 1; version <= 2; ++version) {
            draw.isV2 = version == 2;
            draw.requestId = bytes32(version);
            draw.destinationChainId = highest;
            Deposit memory deposit = _validDeposit(draw);
            _assertAccepted(deposit);

            uint256 word = draw.isV2 ? highest : highest + 1;
            if (draw.isV2) deposit.record.destinationUser = bytes32(word);
            else deposit.record.destinationChainId = word;
            _assertRefused(
                deposit,
                abi.encodeWithSelector(IRecordReceiver.RecordOfOtherVersion.selector, word, highest)
            );
        }
    }

    function testFuzz_RevertWhen_ASignatureOverVersion2IsSpentAsVersion1ForAChainIdOfUnits(
        Draw memory draw
    ) public {
        draw.isV2 = true;
        draw.destinationChainId = _bound(draw.destinationChainId, MINIMUM, type(uint64).max);
        Deposit memory honest = _validDeposit(draw);

        Deposit memory moved = _validDeposit(draw);
        moved.isV2 = false;
        moved.amount = honest.record.destinationChainId;
        moved.record.originAmount = moved.amount;
        moved.record.destinationChainId = uint256(honest.record.destinationUser);
        moved.record.destinationUser = honest.destinationCurrency;
        moved.signature = honest.signature;
        _coSign(CO_SIGNER_KEY, moved);
        _assertEq(_digestOf(moved), _digestOf(honest));

        _assertRefused(
            moved,
            abi.encodeWithSelector(
                IRecordReceiver.RecordOfOtherVersion.selector,
                uint256(honest.record.destinationUser),
                type(uint64).max
            )
        );
        _assertAccepted(honest);
    }

    function testFuzz_RevertWhen_ASignatureOverVersion1IsSpentAsVersion2ForAnotherAmount(
        Draw memory draw,
        uint256 amount
    ) public {
        draw.isV2 = false;
        Deposit memory honest = _validDeposit(draw);

        Deposit memory moved = _validDeposit(draw);
        moved.isV2 = true;
        moved.amount = _bound(amount, MINIMUM, MAXIMUM);
        moved.record.destinationChainId = honest.record.originAmount;
        moved.record.destinationUser = bytes32(honest.record.destinationChainId);
        moved.destinationCurrency = honest.record.destinationUser;
        moved.signature = honest.signature;
        _coSign(CO_SIGNER_KEY, moved);
        _assertEq(_digestOf(moved), _digestOf(honest));

        _assertRefused(
            moved,
            abi.encodeWithSelector(
                IRecordReceiver.RecordOfOtherVersion.selector,
                honest.record.destinationChainId,
                type(uint64).max
            )
        );
        _assertAccepted(honest);
    }
}
