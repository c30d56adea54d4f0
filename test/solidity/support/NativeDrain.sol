// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IVm} from "./IVm.sol";

/// @title NativeDrain
/// @notice A target that makes native currency of its caller vanish, as a chain could where it is a token as well.
contract NativeDrain {
    IVm private constant VM = IVm(0x7109709ECfa91a80626fF3989D68f67F5b1DD12D);

    /// @notice Takes native currency without being sent it.
    /// @param account whose
    /// @param amount how much
    function drain(address account, uint256 amount) external payable {
        VM.deal(account, account.balance - amount);
    }
}
