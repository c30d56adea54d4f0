// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {TermsChecker} from "../../contracts/mocks/TermsChecker.sol";
import {Order} from "../../contracts/records/Order.sol";
import {OrderTerms} from "../../contracts/records/OrderTerms.sol";
import {OrderHash} from "../../contracts/testing/OrderHash.sol";
import {Proof} from "./Proof.sol";

/// @title OrderTermsProofs
/// @notice An order that passes its terms has their values, and the returned id is its hash.
contract OrderTermsProofs is Proof {
    TermsChecker private _checker;

    function setUp() external {
        _checker = new TermsChecker();
    }

    /// @custom:halmos --default-bytes-lengths 20 --default-array-lengths 1 --array-lengths signature=65,order.output.calls=0,order.fees=0
    /// @custom:mutant contracts/records/OrderTerms.sol: if (recipient != terms.recipient) revert -> if (recipient == 0) revert
    /// @custom:mutant contracts/records/OrderTerms.sol: if (chain != terms.destinationChain)\n -> if (chain == 0)\n
    /// @custom:mutant contracts/records/OrderTerms.sol: if (currency != hashOf(terms.currency)) revert -> if (currency == 0) revert
    /// @custom:mutant contracts/records/OrderTerms.sol: terms.outputCurrency != ANY_CURRENCY -> terms.outputCurrency == ANY_CURRENCY
    /// @custom:mutant contracts/records/OrderTerms.sol: if (minimum < terms.minimumAmount) -> if (minimum + 1 < terms.minimumAmount)
    function check_OrderHasTheValuesOfTheTerms(
        OrderTerms.Order memory order,
        bytes memory signature,
        OrderTerms.Terms memory terms
    ) external view {
        _checker.check(order, signature, terms);
        OrderTerms.InputPayment memory input = order.inputs[0].payment;
        assert(order.solver == terms.solver);
        assert(keccak256(bytes(input.chainId)) == terms.originChain);
        assert(keccak256(input.currency) == keccak256(abi.encodePacked(terms.currency)));
        assert(input.amount == terms.amount);
        assert(keccak256(bytes(order.output.chainId)) == terms.destinationChain);
        OrderTerms.OutputPayment memory output = order.output.payments[0];
        assert(keccak256(output.recipient) == terms.recipient);
        bool isAnyCurrency = terms.outputCurrency == OrderTerms.ANY_CURRENCY;
        assert(isAnyCurrency || keccak256(output.currency) == terms.outputCurrency);
        assert(output.minimumAmount >= terms.minimumAmount && terms.minimumAmount != 0);
        uint256 deadline = order.output.deadline;
        assert(terms.earliestDeadline <= deadline && deadline <= terms.latestDeadline);
        assert(block.timestamp <= deadline);
    }

    /// @custom:halmos --default-bytes-lengths 20 --default-array-lengths 1 --array-lengths signature=65,order.output.calls={0,2},order.fees=0
    /// @custom:mutant contracts/records/OrderTerms.sol: terms.callsHash == 0 ? keccak256("") : terms.callsHash -> terms.callsHash == 0 ? calls : terms.callsHash
    function check_OrderHasTheCallsOfTheTerms(
        OrderTerms.Order memory order,
        bytes memory signature,
        OrderTerms.Terms memory terms
    ) external view {
        _checker.check(order, signature, terms);
        bytes32[] memory hashes = new bytes32[](order.output.calls.length);
        for (uint256 i; i < hashes.length; ++i) hashes[i] = keccak256(order.output.calls[i]);
        bytes32 expected = terms.callsHash == 0 ? keccak256("") : terms.callsHash;
        assert(keccak256(abi.encodePacked(hashes)) == expected);
    }

    /// @custom:halmos --default-bytes-lengths 20 --default-array-lengths 1 --array-lengths signature=65
    /// @custom:mutant contracts/records/OrderTerms.sol: || signer != terms.solver) revert -> ) revert
    function check_SolverSignedTheHashOfTheOrder(
        OrderTerms.Order memory order,
        bytes memory signature,
        OrderTerms.Terms memory terms
    ) external view {
        bytes32 id = _checker.check(order, signature, terms);
        assert(id == OrderHash.hash(abi.decode(abi.encode(order), (Order.Data))));
        assert(_signerOf(_ethereumMessage(id), signature) == terms.solver);
    }
}
