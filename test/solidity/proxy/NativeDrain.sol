// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ICheats} from "../../../contracts/testing/ICheats.sol";

/// @title NativeDrain
/// @notice A target that takes native currency from any account, as a chain can where native currency is also a token.
contract NativeDrain {
    ICheats private constant VM = ICheats(0x7109709ECfa91a80626fF3989D68f67F5b1DD12D);

    function drain(address account, uint256 amount) external payable {
        VM.deal(account, account.balance - amount);
    }
}
