// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {IRecipientAllowListMapping} from "waybill/contracts/interfaces/receiver/policies/IRecipientAllowListMapping.sol";
import {SignatureRecord} from "waybill/contracts/records/SignatureRecord.sol";
import {LocalToken} from "waybill/contracts/service/currencies/LocalToken.sol";
import {WaybillTest} from "waybill/contracts/testing/WaybillTest.sol";
import {Payroll} from "./Payroll.sol";

/// @notice The list in every way to pay, with records that the kit signs in the solver's place.
contract PayrollTest is WaybillTest {
    uint256 private constant CHAIN_ID = 10;

    Payroll private _payroll;
    LocalToken private _token;

    function setUp() external {
        ServiceContracts memory service = _deployService();
        _payroll = new Payroll(address(this), _solver(), address(service.receiver));
        _token = _deployToken("USDC", 6);
        _token.mint(address(this), 1);
        _token.approve(address(_payroll), 1);
        VM.deal(address(this), 1);
    }

    function testFuzz_AListedRecipientIsPaidInBothCurrencies(address recipient) external {
        VM.assume(recipient != address(0));
        IRecipientAllowListMapping.Recipient[] memory recipients = new IRecipientAllowListMapping.Recipient[](
            1
        );
        recipients[0] = IRecipientAllowListMapping.Recipient(CHAIN_ID, SignatureRecord.word(recipient));
        _payroll.setRecipients(recipients, true);
        this.pay(address(0), recipient);
        require(_solver().balance == 1, "the solver is not paid");
        this.pay(address(_token), recipient);
        require(_token.balanceOf(_solver()) == 1, "the solver is not paid in tokens");
    }

    function testFuzz_RevertWhen_TheRecipientIsNotListed(address recipient, bool isToken) external {
        try this.pay(isToken ? address(_token) : address(0), recipient) {
            revert("paid");
        } catch (bytes memory reason) {
            require(
                bytes4(reason) == IRecipientAllowListMapping.RecipientNotAllowed.selector,
                "another error"
            );
        }
    }

    function pay(address currency, address recipient) external {
        (SignatureRecord.Record memory record, bytes memory signature) = _quoteRecord(
            address(this),
            currency,
            1,
            CHAIN_ID,
            recipient
        );
        bytes32 id = record.requestId;
        if (currency == address(0)) {
            _payroll.deposit{value: 1}(id, CHAIN_ID, record.destinationUser, signature);
        } else {
            _payroll.depositErc20(currency, 1, id, CHAIN_ID, record.destinationUser, signature);
        }
    }
}
