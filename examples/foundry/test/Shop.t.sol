// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {IRecipientAllowListMapping} from "waybill/contracts/interfaces/receiver/policies/IRecipientAllowListMapping.sol";
import {SignatureRecord} from "waybill/contracts/records/SignatureRecord.sol";
import {LocalToken} from "waybill/contracts/service/currencies/LocalToken.sol";
import {WaybillTest} from "waybill/contracts/testing/WaybillTest.sol";
import {Shop} from "../src/Shop.sol";

contract ShopTest is WaybillTest {
    uint256 private constant CHAIN_ID = 10;
    address private constant MERCHANT = address(0xA11CE);
    address private constant STRANGER = address(0xBAD);

    Shop private _shop;
    LocalToken private _token;

    function setUp() external {
        _shop = new Shop(address(this), _solver());
        _token = _deployToken("USDC", 6);
        _token.mint(address(this), 5);
        _token.approve(address(_shop), 5);
        IRecipientAllowListMapping.Recipient[] memory merchants = new IRecipientAllowListMapping.Recipient[](
            1
        );
        merchants[0] = IRecipientAllowListMapping.Recipient(CHAIN_ID, SignatureRecord.word(MERCHANT));
        _shop.setRecipients(merchants, true);
        VM.deal(address(this), 5);
    }

    function test_APaymentToAListedMerchantPaysTheSolver() external {
        _pay(MERCHANT);
        require(_solver().balance == 5, "the solver is not paid");
        _payToken(MERCHANT);
        require(_token.balanceOf(_solver()) == 5, "the solver is not paid in tokens");
    }

    function test_RevertWhen_TheSolverSignedAnUnlistedRecipient() external {
        bytes memory refusal = abi.encodeWithSelector(
            IRecipientAllowListMapping.RecipientNotAllowed.selector,
            CHAIN_ID,
            SignatureRecord.word(STRANGER)
        );
        try this.pay(STRANGER) {
            revert("paid");
        } catch (bytes memory reason) {
            require(keccak256(reason) == keccak256(refusal), "another error");
        }
        try this.payToken(STRANGER) {
            revert("paid in tokens");
        } catch (bytes memory reason) {
            require(keccak256(reason) == keccak256(refusal), "another error");
        }
        require(_solver().balance == 0 && _token.balanceOf(_solver()) == 0, "the solver is paid");
    }

    function pay(address recipient) external {
        _pay(recipient);
    }

    function payToken(address recipient) external {
        _payToken(recipient);
    }

    function _pay(address recipient) private {
        (SignatureRecord.Record memory record, bytes memory signature) = _quoteRecord(
            address(_shop),
            address(0),
            5,
            CHAIN_ID,
            recipient
        );
        _shop.deposit{value: 5}(record.requestId, CHAIN_ID, record.destinationUser, signature);
    }

    function _payToken(address recipient) private {
        (SignatureRecord.Record memory record, bytes memory signature) = _quoteRecord(
            address(_shop),
            address(_token),
            5,
            CHAIN_ID,
            recipient
        );
        _shop.depositErc20(address(_token), 5, record.requestId, CHAIN_ID, record.destinationUser, signature);
    }
}
