// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Test} from "../support/Test.sol";

/// @title PaymentBook
/// @notice Records of a handler of deposits, which the invariants compare with the chain.
abstract contract PaymentBook is Test {
    struct Request {
        uint256 timesAccepted;
        bool isConsumed;
    }

    /// @notice Amount that arrived outside any payment and was not taken out, by currency.
    mapping(address currency => uint256 amount) public stray;

    /// @notice Number of accepted payments.
    uint256 public acceptedCount;

    /// @notice Whether a call succeeded that must revert, or reverted that must succeed.
    bool public isBroken;

    /// @notice Every request that the handler tries, at every receiver.
    function requests() external view virtual returns (Request[] memory);

    function _require(bool isRight) internal {
        if (!isRight) isBroken = true;
    }
}

/// @title SumBook
/// @notice The book of a handler whose payers' money moves by deposits only.
abstract contract SumBook is PaymentBook {
    struct Holdings {
        uint256 paid;
        uint256 spent;
        uint256 kept;
    }

    /// @notice Amount accepted, by currency.
    mapping(address currency => uint256 amount) public acceptedSum;

    /// @notice Amounts of a currency: the payees' balance, the payers' spending, and the receivers' balance.
    function holdings(address currency) external view virtual returns (Holdings memory);

    function currencies() public view virtual returns (address[] memory);

    function _noteAccepted(address currency, uint256 amount) internal {
        acceptedCount += 1;
        acceptedSum[currency] += amount;
    }
}
