// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @dev Gas floor of `BalanceProxy` and `BalanceExecutor`: only the calls of a vault deposit of a live balance. Checks no
/// return data, and anyone can take its balance: never use it.
contract MinimalZap {
    /// @dev Pulls the tokens, then runs `zap`.
    function zapPull(address token, address vault, address recipient, uint256 amount) external {
        assembly ("memory-safe") {
            let data := mload(0x40)
            mstore(data, shl(224, 0x23b872dd)) // transferFrom(address,address,uint256)
            mstore(add(data, 0x04), caller())
            mstore(add(data, 0x24), address())
            mstore(add(data, 0x44), amount)
            if iszero(call(gas(), token, 0, data, 0x64, 0x00, 0x20)) {
                revert(0x00, 0x00)
            }
        }
        _deposit(token, vault, recipient);
    }

    /// @dev Approves the vault for the balance, and deposits it for `recipient`.
    function zap(address token, address vault, address recipient) external {
        _deposit(token, vault, recipient);
    }

    function _deposit(address token, address vault, address recipient) private {
        assembly ("memory-safe") {
            let data := mload(0x40)
            mstore(data, shl(224, 0x70a08231)) // balanceOf(address)
            mstore(add(data, 0x04), address())
            if iszero(staticcall(gas(), token, data, 0x24, 0x00, 0x20)) {
                revert(0x00, 0x00)
            }
            let amount := mload(0x00)
            mstore(data, shl(224, 0x095ea7b3)) // approve(address,uint256)
            mstore(add(data, 0x04), vault)
            mstore(add(data, 0x24), amount)
            if iszero(call(gas(), token, 0, data, 0x44, 0x00, 0x20)) {
                revert(0x00, 0x00)
            }
            mstore(data, shl(224, 0x6e553f65)) // deposit(uint256,address)
            mstore(add(data, 0x04), amount)
            mstore(add(data, 0x24), recipient)
            if iszero(call(gas(), vault, 0, data, 0x44, 0x00, 0x20)) {
                revert(0x00, 0x00)
            }
        }
    }
}
