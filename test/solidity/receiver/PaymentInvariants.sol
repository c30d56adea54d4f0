// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {InvariantTest} from "../support/InvariantTest.sol";
import {PaymentBook, SumBook} from "./PaymentBook.sol";

/// @title PaymentInvariants
/// @notice Holds at every receiver after any sequence of payments, valid, altered and replayed.
abstract contract PaymentInvariants is InvariantTest {
    PaymentBook internal _book;

    function _observe(PaymentBook handler) internal {
        _book = handler;
        _callOnly(address(handler));
    }

    /// @notice By any function, input and currency, a request is paid at most once, and is consumed exactly when paid.
    function invariant_RequestIsPaidAtMostOnceAndConsumedExactlyThen() public view {
        PaymentBook.Request[] memory requests = _book.requests();
        _assertLe(1, requests.length);
        for (uint256 i; i < requests.length; ++i) {
            _assertLe(requests[i].timesAccepted, 1);
            _assertEq(requests[i].isConsumed, requests[i].timesAccepted == 1);
        }
    }

    /// @notice Nothing the solver did not sign was accepted, and nothing it signed was refused.
    function invariant_ExactlyWhatTheSolverSignedIsAccepted() public view {
        _assertEq(_book.isBroken(), false);
    }
}

/// @title SumInvariants
/// @notice Compares the payers' spending with the payees' gains.
abstract contract SumInvariants is PaymentInvariants {
    /// @notice Payees' gains equal payers' spending; receivers keep stray money only, and pay it to no account.
    function invariant_SumInEqualsSumOutAndReceiversKeepStraysOnly() public view {
        SumBook book = SumBook(address(_book));
        address[] memory currencies = book.currencies();
        _assertLe(1, currencies.length);
        for (uint256 i; i < currencies.length; ++i) {
            SumBook.Holdings memory holdings = book.holdings(currencies[i]);
            _assertEq(holdings.paid, book.acceptedSum(currencies[i]));
            _assertEq(holdings.spent, holdings.paid);
            _assertEq(holdings.kept, book.stray(currencies[i]));
        }
    }
}
