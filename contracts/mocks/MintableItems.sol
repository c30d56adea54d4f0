// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ERC1155} from "@openzeppelin/contracts/token/ERC1155/ERC1155.sol";

/// @title MintableItems
/// @notice An ERC-1155 collection in which anyone may mint. Calls the receiver hook of a recipient contract.
contract MintableItems is ERC1155 {
    constructor() ERC1155("") {}

    /// @notice Makes tokens of one kind for an account.
    /// @param to recipient
    /// @param id kind of the tokens
    /// @param amount amount
    function mint(address to, uint256 id, uint256 amount) external {
        _mint(to, id, amount, "");
    }

    /// @notice Makes tokens of several kinds for an account.
    /// @param to recipient
    /// @param ids kinds of the tokens
    /// @param amounts amount of each
    function mintBatch(address to, uint256[] calldata ids, uint256[] calldata amounts) external {
        _mintBatch(to, ids, amounts, "");
    }
}
