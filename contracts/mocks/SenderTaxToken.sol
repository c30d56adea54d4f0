// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {AuthorizationToken} from "./AuthorizationToken.sol";

/// @title SenderTaxToken
/// @notice A token that burns a fee of its sender on top of every transfer: the recipient receives exactly the amount, and the
///         sender loses more. Anyone may change the fee. Authorizations work as in `AuthorizationToken`.
contract SenderTaxToken is AuthorizationToken {
    /// @notice Units burnt from the sender.
    uint256 public tax;

    /// @notice Whether only one account is taxed, and which.
    address public taxed;

    /// @notice Sets the fee.
    /// @param tax_ units on top of every transfer
    /// @param taxed_ the account that pays it; zero for every sender
    function setTax(uint256 tax_, address taxed_) external {
        (tax, taxed) = (tax_, taxed_);
    }

    function _update(address from, address to, uint256 value) internal override {
        super._update(from, to, value);
        bool isTransfer = from != address(0) && to != address(0);
        if (isTransfer && tax != 0 && (taxed == address(0) || taxed == from)) {
            super._update(from, address(0), tax);
        }
    }
}
