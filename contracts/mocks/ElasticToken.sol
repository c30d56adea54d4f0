// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @title ElasticToken
/// @notice A rebasing token that rounds: what an account has is its shares times a rate that anyone may change, rounded
///         down, and a transfer moves whole shares. Unlike with `RebasingToken`, one unit less may arrive than was sent.
contract ElasticToken {
    /// @notice What a rate is a fraction of.
    uint256 public constant RATE_UNIT = 1e6;

    /// @notice What a share is worth.
    uint256 public rate = RATE_UNIT;

    /// @notice How many shares an account has.
    mapping(address account => uint256 shares) public sharesOf;

    /// @notice How much of an account's a spender may still move.
    mapping(address account => mapping(address spender => uint256 amount)) public allowance;

    /// @notice Emitted when tokens move.
    /// @param from who had them
    /// @param to who has them now
    /// @param value how many were sent
    event Transfer(address indexed from, address indexed to, uint256 value);

    /// @notice Thrown when an account has too little.
    /// @param account the account
    /// @param shares what it has
    /// @param needed what it would need
    error NotEnoughShares(address account, uint256 shares, uint256 needed);

    /// @notice Changes what every share is worth; anyone may.
    /// @param rate_ the new worth
    function rebase(uint256 rate_) external {
        rate = rate_;
    }

    /// @notice Makes new tokens; anyone may.
    /// @param to who gets them
    /// @param amount how many, at the rate of today
    function mint(address to, uint256 amount) external {
        sharesOf[to] += _sharesFor(amount);
        emit Transfer(address(0), to, amount);
    }

    /// @notice Moves the caller's tokens.
    /// @param to who gets them
    /// @param value how many
    /// @return success always
    function transfer(address to, uint256 value) external returns (bool success) {
        _move(msg.sender, to, value);
        return true;
    }

    /// @notice Moves tokens of an account that allowed it.
    /// @param from whose tokens
    /// @param to who gets them
    /// @param value how many
    /// @return success always
    function transferFrom(address from, address to, uint256 value) external returns (bool success) {
        // Checked arithmetic refuses what exceeds the allowance.
        allowance[from][msg.sender] -= value;
        _move(from, to, value);
        return true;
    }

    /// @notice Sets an allowance.
    /// @param spender who may move the caller's tokens
    /// @param value how many
    /// @return success always
    function approve(address spender, uint256 value) external returns (bool success) {
        allowance[msg.sender][spender] = value;
        return true;
    }

    /// @notice What an account has at the rate of today.
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
