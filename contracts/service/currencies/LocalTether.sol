// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @title LocalTether
/// @notice A currency of the local chains that is as awkward as USDT is on Ethereum: it returns nothing, and
///         an allowance has to be zero before it can be set anew. Never deploy it to a public chain: its
///         owner mints at will.
/// @dev Assumptions: production USDT can charge a fee, pause and block accounts, and reports no reasons; the
///      fee has always been zero. Those traits live in tokens of their own among the mocks, and reasons are
///      named here.
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

    /// @notice Thrown when an account has too little.
    /// @param account the account
    /// @param balance what it has
    /// @param needed what it would need
    error TetherInsufficientBalance(address account, uint256 balance, uint256 needed);

    /// @notice Thrown when a spender may move too little.
    /// @param spender the spender
    /// @param allowed what it may move
    /// @param needed what it would need
    error TetherInsufficientAllowance(address spender, uint256 allowed, uint256 needed);

    /// @notice Thrown when an allowance that is not zero is set to another that is not zero.
    /// @param spender the spender
    /// @param current the allowance it has
    /// @param requested the allowance it was to get
    error TetherApproveFromNonZero(address spender, uint256 current, uint256 requested);

    /// @param minter account that may mint
    constructor(address minter) {
        owner = minter;
    }

    /// @notice Makes new tokens. Owner only.
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

    /// @notice Moves tokens of an account that allowed it. Returns nothing.
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
    /// @param spender approved spender of the caller\'s tokens
    /// @param value amount
    function approve(address spender, uint256 value) external {
        uint256 current = allowance[msg.sender][spender];
        if (current != 0 && value != 0) revert TetherApproveFromNonZero(spender, current, value);
        allowance[msg.sender][spender] = value;
        emit Approval(msg.sender, spender, value);
    }

    function _move(address from, address to, uint256 value) private {
        uint256 balance = balanceOf[from];
        if (balance < value) revert TetherInsufficientBalance(from, balance, value);
        balanceOf[from] = balance - value;
        balanceOf[to] += value;
        emit Transfer(from, to, value);
    }
}
