// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import {ERC3009} from "@openzeppelin/contracts/token/ERC20/extensions/draft-ERC3009.sol";
import {ECDSA} from "@openzeppelin/contracts/utils/cryptography/ECDSA.sol";
import {EIP712} from "@openzeppelin/contracts/utils/cryptography/EIP712.sol";
import {Nonces} from "@openzeppelin/contracts/utils/Nonces.sol";

/// @title UsdcLikeToken
/// @notice A token with the interface of USDC on Ethereum: a blocklist, ERC-2612 permits and ERC-3009 authorizations.
///         Signing domain: "USD Coin", version "2". As in the original, the token does not describe its domain (ERC-5267).
contract UsdcLikeToken is ERC3009, Nonces {
    bytes32 private constant PERMIT_TYPEHASH = keccak256(
        "Permit(address owner,address spender,uint256 value,uint256 nonce,uint256 deadline)"
    );

    /// @notice Version of the signing domain.
    string public constant version = "2";

    /// @notice Account that mints tokens and keeps the blocklist.
    address public immutable masterMinter;

    /// @notice Whether an account may neither send nor receive.
    mapping(address account => bool isBlocked) public isBlacklisted;

    /// @notice Thrown when an account other than the minter mints or changes the blocklist.
    /// @param caller that account
    error UsdcUnauthorized(address caller);

    /// @notice Thrown when a blocked account sends or receives.
    /// @param account the account
    error UsdcBlacklisted(address account);

    /// @notice Thrown when a permit is expired or not its owner's.
    /// @param owner owner that the permit names
    error UsdcInvalidPermit(address owner);

    /// @notice Thrown when the signing domain is read: the original has no such function.
    error UsdcNoDomain();

    /// @param minter account that mints and keeps the blocklist
    constructor(address minter) ERC20("USD Coin", "USDC") EIP712("USD Coin", "2") {
        masterMinter = minter;
    }

    /// @notice Makes new tokens. Minter only.
    /// @param to recipient
    /// @param amount amount
    function mint(address to, uint256 amount) external {
        _assertMinter();
        _mint(to, amount);
    }

    /// @notice Blocks an account. Minter only.
    /// @param account the account
    function blacklist(address account) external {
        _assertMinter();
        isBlacklisted[account] = true;
    }

    /// @notice Removes an account from the blocklist. Minter only.
    /// @param account the account
    function unBlacklist(address account) external {
        _assertMinter();
        isBlacklisted[account] = false;
    }

    /// @notice Sets an allowance by its owner's signature (ERC-2612).
    /// @param owner owner of the tokens
    /// @param spender approved spender
    /// @param value amount
    /// @param deadline last valid unix second
    /// @param v recovery id
    /// @param r first word of the signature
    /// @param s second word of the signature
    function permit(
        address owner,
        address spender,
        uint256 value,
        uint256 deadline,
        uint8 v,
        bytes32 r,
        bytes32 s
    ) external {
        bytes32 digest = _hashTypedDataV4(
            keccak256(abi.encode(PERMIT_TYPEHASH, owner, spender, value, _useNonce(owner), deadline))
        );
        if (block.timestamp > deadline || ECDSA.recover(digest, v, r, s) != owner)
            revert UsdcInvalidPermit(owner);
        _approve(owner, spender, value);
    }

    // solhint-disable-next-line func-name-mixedcase
    /// @notice Separator of the signing domain.
    function DOMAIN_SEPARATOR() external view returns (bytes32) {
        return _domainSeparatorV4();
    }

    /// @notice Decimals of an amount.
    function decimals() public pure override returns (uint8) {
        return 6;
    }

    /// @notice Always reverts.
    function eip712Domain()
        public
        pure
        override
        returns (bytes1, string memory, string memory, uint256, address, bytes32, uint256[] memory)
    {
        revert UsdcNoDomain();
    }

    function _update(address from, address to, uint256 value) internal override {
        if (isBlacklisted[from]) revert UsdcBlacklisted(from);
        if (isBlacklisted[to]) revert UsdcBlacklisted(to);
        super._update(from, to, value);
    }

    function _assertMinter() private view {
        if (msg.sender != masterMinter) revert UsdcUnauthorized(msg.sender);
    }
}
