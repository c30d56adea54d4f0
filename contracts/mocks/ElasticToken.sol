// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @title ElasticToken
/// @notice A rebasing token that rounds: a balance is the account's shares times a rate that anyone may change,
/// rounded down, and a transfer moves whole shares. Unlike with `RebasingToken`, one unit less may arrive than was
/// sent.
contract ElasticToken {
    /// @notice Denominator of the rate.
    uint256 public constant RATE_UNIT = 1e6;

    /// @notice Value of a share.
    uint256 public rate = RATE_UNIT;

    /// @notice Shares of an account.
    mapping(address account => uint256 shares) public sharesOf;

    /// @notice Remaining allowance of a spender over an account's tokens.
    mapping(address account => mapping(address spender => uint256 amount)) public allowance;

    /// @notice Emitted when tokens move.
    /// @param from previous holder
    /// @param to new holder
    /// @param value sent amount
    event Transfer(address indexed from, address indexed to, uint256 value);

    /// @notice Thrown when the shares are too few.
    /// @param account the account
    /// @param shares its shares
    /// @param needed the required shares
    error NotEnoughShares(address account, uint256 shares, uint256 needed);

    /// @notice Changes the worth of every share; anyone may.
    /// @param rate_ the new worth
    function rebase(uint256 rate_) external {
        rate = rate_;
    }

    /// @notice Makes new tokens; anyone may.
    /// @param to recipient
    /// @param amount amount at the current rate
    function mint(address to, uint256 amount) external {
        sharesOf[to] += _sharesFor(amount);
        emit Transfer(address(0), to, amount);
    }

    /// @notice Moves the caller's tokens.
    /// @param to recipient
    /// @param value amount
    /// @return success always
    function transfer(address to, uint256 value) external returns (bool success) {
        _move(msg.sender, to, value);
        return true;
    }

    /// @notice Moves tokens under their owner's allowance.
    /// @param from owner of the tokens
    /// @param to recipient
    /// @param value amount
    /// @return success always
    function transferFrom(address from, address to, uint256 value) external returns (bool success) {
        // Checked arithmetic reverts above the allowance.
        allowance[from][msg.sender] -= value;
        _move(from, to, value);
        return true;
    }

    /// @notice Sets an allowance.
    /// @param spender approved spender of the caller\'s tokens
    /// @param value amount
    /// @return success always
    function approve(address spender, uint256 value) external returns (bool success) {
        allowance[msg.sender][spender] = value;
        return true;
    }

    /// @notice Balance of an account at the current rate.
    /// @param account the account
    /// @return amount rounded down
    function balanceOf(address account) external view returns (uint256 amount) {
        return (sharesOf[account] * rate) / RATE_UNIT;
    }

    function _move(address from, address to, uint256 value) private {
        uint256 shares = _sharesFor(value);
        if (sharesOf[from] < shares) revert NotEnoughShares(from, sharesOf[from], shares);
        sharesOf[from] -= shares;
        sharesOf[to] += shares;
        emit Transfer(from, to, value);
    }

    function _sharesFor(uint256 amount) private view returns (uint256) {
        return (amount * RATE_UNIT) / rate;
    }
}
