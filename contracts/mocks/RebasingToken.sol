// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @title RebasingToken
/// @notice A token whose balances change without a transfer: accounts own shares, and how many make a unit can change.
/// Transfers are exact; a fraction of a unit stays with its holder, and can grow to a whole one.
contract RebasingToken {
    /// @notice The token's name.
    string public constant name = "Rebasing";

    /// @notice The token's symbol.
    string public constant symbol = "REB";

    /// @notice Decimals of an amount.
    uint8 public constant decimals = 18;

    /// @notice Shares per unit.
    uint256 public sharesPerUnit = 1e18;

    /// @notice Shares of an account.
    mapping(address account => uint256 shares) public sharesOf;

    /// @notice Remaining allowance of a spender over an account's tokens; a rebase does not change it.
    mapping(address account => mapping(address spender => uint256 amount)) public allowance;

    /// @notice Emitted when tokens move.
    /// @param from previous holder
    /// @param to new holder
    /// @param value amount
    event Transfer(address indexed from, address indexed to, uint256 value);

    /// @notice Emitted when an allowance is set.
    /// @param owner owner of the tokens
    /// @param spender approved spender
    /// @param value amount
    event Approval(address indexed owner, address indexed spender, uint256 value);

    /// @notice Multiplies every balance; anyone may.
    /// @param multiplier numerator of the factor
    /// @param divisor denominator of the factor
    function rebase(uint256 multiplier, uint256 divisor) external {
        sharesPerUnit = (sharesPerUnit * divisor) / multiplier;
    }

    /// @notice Makes new tokens; anyone may.
    /// @param to recipient
    /// @param amount amount
    function mint(address to, uint256 amount) external {
        sharesOf[to] += amount * sharesPerUnit;
        emit Transfer(address(0), to, amount);
    }

    /// @notice Sets an allowance.
    /// @param spender approved spender of the caller\'s tokens
    /// @param value amount
    /// @return always true
    function approve(address spender, uint256 value) external returns (bool) {
        allowance[msg.sender][spender] = value;
        emit Approval(msg.sender, spender, value);
        return true;
    }

    /// @notice Moves the caller's tokens.
    /// @param to recipient
    /// @param value amount
    /// @return always true
    function transfer(address to, uint256 value) external returns (bool) {
        _move(msg.sender, to, value);
        return true;
    }

    /// @notice Moves tokens under their owner's allowance.
    /// @param from owner of the tokens
    /// @param to recipient
    /// @param value amount
    /// @return always true
    function transferFrom(address from, address to, uint256 value) external returns (bool) {
        // Checked arithmetic reverts above the allowance.
        allowance[from][msg.sender] -= value;
        _move(from, to, value);
        return true;
    }

    /// @notice Balance of an account.
    /// @param account the account
    /// @return the balance, rounded down
    function balanceOf(address account) external view returns (uint256) {
        return sharesOf[account] / sharesPerUnit;
    }

    function _move(address from, address to, uint256 value) private {
        uint256 shares = value * sharesPerUnit;
        // Checked arithmetic reverts above the balance.
        sharesOf[from] -= shares;
        sharesOf[to] += shares;
        emit Transfer(from, to, value);
    }
}
