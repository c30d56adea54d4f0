// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import {SafeTransferLib} from "solady/src/utils/SafeTransferLib.sol";

/// @title LocalWrappedNative
/// @notice The wrapped native currency of the local chains, with the interface of WETH9. Never deploy it to a public
/// chain.
/// @dev Assumption: WETH9 wraps value sent with unknown calldata. This contract wraps plain transfers only, and
/// reverts on unknown calldata, so that a mistyped call fails.
contract LocalWrappedNative is ERC20 {
    /// @notice Emitted when native currency is wrapped.
    /// @param dst recipient of the tokens
    /// @param wad amount in wei
    event Deposit(address indexed dst, uint256 wad);

    /// @notice Emitted when tokens are unwrapped.
    /// @param src previous holder
    /// @param wad amount
    event Withdrawal(address indexed src, uint256 wad);

    /// @param name_ the token's name
    /// @param symbol_ the token's symbol
    constructor(string memory name_, string memory symbol_) ERC20(name_, symbol_) {}

    /// @notice Wraps the value of a plain transfer.
    receive() external payable {
        deposit();
    }

    /// @notice Burns the caller's tokens and sends the caller the native currency.
    /// @param wad amount
    function withdraw(uint256 wad) external {
        _burn(msg.sender, wad);
        emit Withdrawal(msg.sender, wad);
        SafeTransferLib.safeTransferETH(msg.sender, wad);
    }

    /// @notice Wraps the sent native currency.
    function deposit() public payable {
        _mint(msg.sender, msg.value);
        emit Deposit(msg.sender, msg.value);
    }
}
