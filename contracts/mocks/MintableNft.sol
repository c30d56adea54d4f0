// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ERC721} from "@openzeppelin/contracts/token/ERC721/ERC721.sol";

/// @title MintableNft
/// @notice An ERC-721 collection in which anyone may mint. Calls the receiver hook of a recipient contract.
contract MintableNft is ERC721 {
    constructor() ERC721("Mintable NFT", "NFT") {}

    /// @notice Makes a token for an account.
    /// @param to recipient
    /// @param tokenId its id
    function mint(address to, uint256 tokenId) external {
        _safeMint(to, tokenId);
    }
}
