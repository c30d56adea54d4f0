// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ICurrencyLimits} from "../../../../contracts/interfaces/receiver/policies/ICurrencyLimits.sol";
import {IRefundLedger} from "../../../../contracts/interfaces/receiver/policies/IRefundLedger.sol";
import {OperatorFeeToken} from "../../../../contracts/mocks/OperatorFeeToken.sol";
import {ManagedFixture} from "./ManagedFixture.sol";

/// @title ManagedCoveredTest
/// @notice Deposits of some leave what is credited to others alone, whatever the token charges.
contract ManagedCoveredTest is ManagedFixture {
    uint256 private constant CREDIT = 100;

    OperatorFeeToken private _feeToken;

    function setUp() public {
        _deployManaged();
        _feeToken = new OperatorFeeToken();
        _byReceiver.setCoSigner(address(0));
        _byReceiver.setRecipientListOpen(true);
        _byReceiver.setCurrencyLimits(ICurrencyLimits.CurrencyLimit(address(_feeToken), 1, MAXIMUM));
        _fund(DEPOSITOR);
        _fund(STRANGER);
        _fund(address(this));
    }

    function test_RevertWhen_ADepositsFeeWouldComeOutOfAnotherDepositorsCredit() public {
        _credit();
        _feeToken.setFee(CREDIT);
        _assertRefused(
            _payment("other", STRANGER),
            abi.encodeWithSelector(IRefundLedger.CreditsNotCovered.selector, address(_feeToken), 0, CREDIT)
        );

        _feeToken.setFee(0);
        VM.prank(DEPOSITOR);
        _byReceiver.withdrawRefund("victim", address(_feeToken), DEPOSITOR);
        _assertEq(_feeToken.balanceOf(address(_byReceiver)), 0);
    }

    function test_AFeeIsPaidOutOfWhatIsCreditedToNobody() public {
        _credit();
        VM.prank(STRANGER);
        _feeToken.transfer(address(_byReceiver), 3);
        _feeToken.setFee(3);
        _assertAccepted(_payment("other", STRANGER));
        _assertEq(_feeToken.balanceOf(address(_byReceiver)), CREDIT);
    }

    function test_WithoutCreditsNothingIsMeasured() public {
        _feeToken.setFee(CREDIT);
        _assertAccepted(_payment("other", STRANGER));
    }

    function _credit() private {
        _assertAccepted(_payment("victim", DEPOSITOR));
        _byReceiver.refundErc20("victim", address(_feeToken), CREDIT);
        _assertEq(_byReceiver.creditOf("victim", address(_feeToken)), CREDIT);
    }

    function _fund(address account) private {
        _feeToken.mint(account, 1_000);
        VM.prank(account);
        _feeToken.approve(address(_byReceiver), 1_000);
    }

    function _payment(bytes32 id, address caller) private view returns (Deposit memory deposit) {
        deposit.receiver = _byReceiver;
        deposit.caller = caller;
        deposit.currency = address(_feeToken);
        deposit.amount = 1;
        deposit.record.requestId = id;
        deposit.record.originChainId = block.chainid;
        deposit.record.originUser = _word(address(_byReceiver));
        deposit.record.originCurrency = _word(address(_feeToken));
        deposit.record.originAmount = 1;
        deposit.record.destinationChainId = 10;
        deposit.record.destinationUser = _word(STRANGER);
        _signSolver(SOLVER_KEY, deposit);
    }
}
