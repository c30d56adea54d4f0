// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

/// @title LocalTether
/// @notice A currency of the local chains with the quirks of USDT on Ethereum: its functions return nothing, and a
/// nonzero allowance can only be set to zero. Never deploy it to a public chain: its owner mints at will.
/// @dev Assumptions: production USDT can charge a fee, pause and block accounts, and gives no revert reasons. Its fee
/// has always been zero. Separate mocks have those traits; this token reverts with named errors.
contract LocalTether {
    /// @notice The token's name.
    string public constant name = "Local Tether";

    /// @notice The token's symbol.
    string public constant symbol = "USDT";

    /// @notice Decimals of an amount.
    uint8 public constant decimals = 6;

    /// @notice Account that may mint.
    address public immutable owner;

    /// @notice Total supply.
    uint256 public totalSupply;

    /// @notice Balance of an account.
    mapping(address account => uint256 balance) public balanceOf;

    /// @notice Remaining allowance of a spender over an account's tokens.
    mapping(address account => mapping(address spender => uint256 amount)) public allowance;

    /// @notice Emitted when tokens move; from zero when they are minted.
    /// @param from previous holder
    /// @param to new holder
    /// @param value amount
    event Transfer(address indexed from, address indexed to, uint256 value);

    /// @notice Emitted when an allowance is set.
    /// @param owner owner of the tokens
    /// @param spender approved spender
    /// @param value amount
    event Approval(address indexed owner, address indexed spender, uint256 value);

    /// @notice Thrown when an account other than the owner mints.
    /// @param caller that account
    error TetherUnauthorized(address caller);

    /// @notice Thrown when a balance is too low.
    /// @param account the account
    /// @param balance its balance
    /// @param needed the required amount
    error TetherInsufficientBalance(address account, uint256 balance, uint256 needed);

    /// @notice Thrown when an allowance is too low.
    /// @param spender the spender
    /// @param allowed its allowance
    /// @param needed the required amount
    error TetherInsufficientAllowance(address spender, uint256 allowed, uint256 needed);

    /// @notice Thrown when a nonzero allowance is changed to another nonzero amount.
    /// @param spender the spender
    /// @param current the present allowance
    /// @param requested the requested allowance
    error TetherApproveFromNonZero(address spender, uint256 current, uint256 requested);

    /// @param minter account that may mint
    constructor(address minter) {
        owner = minter;
    }

    /// @notice Mints tokens. Owner only.
    /// @param to recipient
    /// @param amount amount
    function mint(address to, uint256 amount) external {
        if (msg.sender != owner) revert TetherUnauthorized(msg.sender);
        totalSupply += amount;
        balanceOf[to] += amount;
        emit Transfer(address(0), to, amount);
    }

    /// @notice Moves the caller's tokens. Returns nothing.
    /// @param to recipient
    /// @param value amount
    function transfer(address to, uint256 value) external {
        _move(msg.sender, to, value);
    }

    /// @notice Moves tokens under their owner's allowance. Returns nothing.
    /// @param from owner of the tokens
    /// @param to recipient
    /// @param value amount
    function transferFrom(address from, address to, uint256 value) external {
        uint256 allowed = allowance[from][msg.sender];
        if (allowed < value) revert TetherInsufficientAllowance(msg.sender, allowed, value);
        if (allowed != type(uint256).max) allowance[from][msg.sender] = allowed - value;
        _move(from, to, value);
    }

    /// @notice Sets an allowance, from zero or to zero only. Returns nothing.
    /// @param spender approved spender of the caller's tokens
    /// @param value amount
    function approve(address spender, uint256 value) external {
        uint256 current = allowance[msg.sender][spender];
        if (current != 0 && value != 0) revert TetherApproveFromNonZero(spender, current, value);
        allowance[msg.sender][spender] = value;
        emit Approval(msg.sender, spender, value);
    }

    function _move(address from, address to, uint256 value) internal virtual {
        uint256 balance = balanceOf[from];
        if (balance < value) revert TetherInsufficientBalance(from, balance, value);
        balanceOf[from] = balance - value;
        balanceOf[to] += value;
        emit Transfer(from, to, value);
    }
}
