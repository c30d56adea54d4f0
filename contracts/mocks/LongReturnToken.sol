// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @title LongReturnToken
/// @notice A correct token that returns more than the standard: each return value and revert is followed by a set number of
/// bytes, from a word to megabytes.
contract LongReturnToken {
    /// @notice Bytes after every return value.
    uint256 public immutable extraBytes;

    /// @notice Whether `transfer` reverts, with as many bytes.
    bool public refusesTransfer;

    mapping(address account => uint256 balance) private _balances;
    mapping(address account => mapping(address spender => uint256 amount)) private _allowances;

    /// @param extraBytes_ number of bytes after every return value
    constructor(uint256 extraBytes_) {
        extraBytes = extraBytes_;
    }

    /// @notice Sets whether `transfer` reverts.
    /// @param refuses whether it reverts
    function setRefusesTransfer(bool refuses) external {
        refusesTransfer = refuses;
    }

    /// @notice Makes new tokens; anyone may. Answers with nothing.
    /// @param to recipient
    /// @param amount amount
    function mint(address to, uint256 amount) external {
        _balances[to] += amount;
    }

    /// @notice Sets an allowance.
    /// @param spender spender of the caller's tokens
    /// @param value amount of the allowance
    /// @return one, which is true, followed by further words
    function approve(address spender, uint256 value) external returns (uint256) {
        _allowances[msg.sender][spender] = value;
        return _answer(1);
    }

    /// @notice Moves the caller's tokens.
    /// @param to recipient
    /// @param value amount
    /// @return true, followed by more bytes
    function transfer(address to, uint256 value) external returns (uint256) {
        if (refusesTransfer) _refuse();
        _move(msg.sender, to, value);
        return _answer(1);
    }

    /// @notice Moves tokens under their owner's allowance.
    /// @param from owner of the tokens
    /// @param to recipient
    /// @param value amount
    /// @return true, followed by more bytes
    function transferFrom(address from, address to, uint256 value) external returns (uint256) {
        // Checked arithmetic reverts above the allowance.
        _allowances[from][msg.sender] -= value;
        _move(from, to, value);
        return _answer(1);
    }

    /// @notice Balance of an account.
    /// @param account the account
    /// @return the balance, followed by more bytes
    function balanceOf(address account) external view returns (uint256) {
        return _answer(_balances[account]);
    }

    /// @notice Remaining allowance of a spender.
    /// @param owner owner of the tokens
    /// @param spender spender of the tokens
    /// @return the allowance, followed by further words
    function allowance(address owner, address spender) external view returns (uint256) {
        return _answer(_allowances[owner][spender]);
    }

    function _move(address from, address to, uint256 value) private {
        // Checked arithmetic reverts above the balance.
        _balances[from] -= value;
        _balances[to] += value;
    }

    /// @dev Ends the call in assembly; the declared return value only satisfies the compiler.
    function _answer(uint256 word) private view returns (uint256 answer) {
        uint256 size = 32 + extraBytes;
        answer = word;
        // Fresh memory is zero, so no further write is needed.
        assembly ("memory-safe") {
            let buffer := mload(0x40)
            mstore(buffer, word)
            return(buffer, size)
        }
    }

    function _refuse() private view {
        uint256 size = 32 + extraBytes;
        assembly ("memory-safe") {
            revert(mload(0x40), size)
        }
    }
}
